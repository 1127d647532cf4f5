"""Rounding or leak? Three oracles asked together, and one word for the engine that is handed over.

Alone against batched sees any difference, but not whether it is a bug: another order of additions is enough. So it is
asked in two precisions. Rounding shrinks with the precision, a leak does not. The neighbour's bits and the Jacobian ask
the other question, whether anything of the others arrives at all, however little.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import torch

from sharedstate.kvcache.oracles import Finding, alone, jacobian, neighbour
from sharedstate.kvcache.workloads import Variant, Workload

ROUNDING, LEAK = "rounding", "leak"


@dataclass(frozen=True)
class Verdict:
    """One word, "rounding" or "leak", the reason for it, and what each oracle found."""

    word: str
    reason: str
    findings: Mapping[str, Finding]

    def __str__(self) -> str:
        """The word and the reason."""
        return f"{self.word}: {self.reason}"


def verdict(variant: Variant, workload: Workload, seed: int = 0) -> Verdict:
    """Say whether what an engine does to its requests is rounding or a leak, over all requests of the workload.

    variant: an engine class, a cache class, or a function that makes an engine with SlotEngine's methods (for a serving
    engine: `sharedstate.serving.judged`). A leak is any of: the logits are off by more than 1e-9 in fp64, other
    contents of the neighbours move a bit, a derivative by a neighbour is not exactly 0, or one by the request's own
    tokens is. Everything else is rounding, however large it is in fp32.
    """
    findings = {
        "alone, fp32": alone(variant, workload, torch.float32, seed),
        "alone, fp64": alone(variant, workload, torch.float64, seed),
        "neighbour": neighbour(variant, workload, seed),
        "jacobian": jacobian(variant, workload, seed),
    }
    single, double = (findings[name].value for name in ("alone, fp32", "alone, fp64"))
    off = f"off by {single:.1g} in fp32 and {double:.1g} in fp64"
    seen = [name for name, found in findings.items() if found.sees and name != "alone, fp32"]
    if not seen:
        why = ": it shrinks with the precision" if findings["alone, fp32"].sees else ""
        return Verdict(ROUNDING, f"{off}{why}, and nothing of a neighbour arrives", MappingProxyType(findings))
    words = {"neighbour": "a neighbour's content moves it", "jacobian": findings["jacobian"].text}
    reasons = [f"{off}, more than rounding"] if "alone, fp64" in seen else [off]
    reasons += [words[name] for name in seen if name in words]
    return Verdict(LEAK, "; ".join(reasons), MappingProxyType(findings))
