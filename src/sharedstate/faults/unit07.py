"""The faults of unit 07: a cache in which one request reads what is another's, or nobody's.

Each is a class of the lesson that overrides one decision of the engine or of its cache. It is played in the
smallest workload that shows it, and in a near one in which it is silent; both are in kvcache/cases.py. Weights
and tokens come from fixed seeds: nothing is left to chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from sharedstate.faults.table import Fault, Names, Probe
from sharedstate.faults.unit07_copies import FAULTS as COPIES

UNIT = "07_slot_pollution"


@dataclass(frozen=True)
class Bug:
    """One bug: its class in the lesson, the oracles besides "alone" that see it every time, and the right class.

    because says why the near workload is silent, fix what the right class does.
    """

    variant: str
    oracles: tuple[str, ...]
    because: str
    fix: str
    right: str = "SlotEngine"


BUGS: Mapping[str, Bug] = MappingProxyType(
    {
        "stale-length-mask": Bug(
            "StaleLength", ("neighbour", "jacobian", "owner tag", "poison"),
            "the slot's last tenant wrote no more than the new one",
            "the mask ends at the valid length; nothing is cleared",
        ),
        "zeroed-wrong-mask": Bug(
            "ZeroedSlot", ("owner tag", "poison"),
            "the slot's last tenant wrote no more than the new one",
            "the mask ends at the valid length; clearing adds nothing",
        ),
        "stale-offsets": Bug(
            "StaleOffsets", ("neighbour", "jacobian", "owner tag"),
            "two sequences: the old copy is still in place",
            "whoever moves a row tells its new place (PackedCache), or no row moves (SlotCache)", "PackedCache",
        ),
        "stale-offsets-new-arrival": Bug(
            "StaleOffsets", ("neighbour", "jacobian", "owner tag"),
            "nobody new arrives",
            "whoever moves a row tells its new place (PackedCache)", "PackedCache",
        ),
        "key-is-length": Bug(
            "KeyIsLength", ("neighbour", "jacobian"),
            "one token: it is always computed anew",
            "the key is the exact tokens",
        ),
        "left-pad-no-mask": Bug(
            "NoPadMask", ("jacobian",),
            "equal lengths: there is no padding",
            "a mask that hides the padding, and positions that skip it",
        ),
        "left-pad-no-positions": Bug(
            "NoPadPositions", (),
            "rotary positions: only distances count",
            "a mask that hides the padding, and positions that skip it",
        ),
        "left-pad-neither": Bug(
            "NoPadAtAll", ("jacobian",),
            "equal lengths: there is no padding",
            "a mask that hides the padding, and positions that skip it",
        ),
        "right-pad-index-minus-one": Bug(
            "MinusOne", ("jacobian",),
            "equal lengths: there is no padding",
            "the logits after each row's own last token",
        ),
        "abort-length-kept": Bug(
            "AbortKeepsLength", ("neighbour", "jacobian", "owner tag", "poison"),
            "the request ends in the ordinary way",
            "an abort releases as a finish does: the length goes back to 0",
        ),
        "retry-not-rolled-back": Bug(
            "RetryOnTop", (),
            "nothing breaks off",
            "a step that fails goes back to its mark, then is tried again",
        ),
        "length-before-write": Bug(
            "CountsFirst", ("owner tag", "poison"),
            "one layer, the same prompt again: the old data is the right data",
            "write, then count, then read",
        ),
        "KV-01": Bug(
            "ZeroReset", ("owner tag", "poison"),
            "a fresh cache",
            "a release makes the length 0; the data may stay", "SlotCache",
        ),
        "KV-02": Bug(
            "WholeTile", ("neighbour", "jacobian", "poison", "tokens"),
            "the leftover is a number, however large",
            "the slot is scrubbed when it is released (Scrubbed): here zeroing is needed", "Scrubbed",
        ),
        "PAD-01": Bug(
            "NoPadPositions", ("tokens",),
            "rotary positions: only distances count",
            "positions that skip the padding",
        ),
        "OFF-02": Bug(
            "Recorded", (),
            "the last slot is not full",
            "ids below 0 are dropped before any arithmetic (Skips)", "Skips",
        ),
    }
)  # fmt: skip


def shown(name: str) -> Probe:
    """Return the probe for a bug: its oracles see it in the smallest workload, and it is silent in the near one."""

    def show(names: Names) -> bool:
        import torch

        from sharedstate.kvcache.cases import CASES
        from sharedstate.kvcache.oracles import ORACLES, alone

        case, bug = CASES[name], BUGS[name]
        variant = names[bug.variant]
        seen = [alone(variant, case.minimal, dtype).sees for dtype in (torch.float32, torch.float64)]
        seen += [ORACLES[oracle](variant, case.minimal).sees for oracle in bug.oracles]
        return all(seen) and not alone(variant, case.silent, torch.float64).sees and _strays(name, variant, True)

    return show


def silent(name: str) -> Probe:
    """Return the control: the same class, the same oracle, in the workload where the bug does not bite."""

    def clean(names: Names) -> bool:
        import torch

        from sharedstate.kvcache.cases import CASES
        from sharedstate.kvcache.oracles import alone

        both = (torch.float32, torch.float64)
        return not any(alone(names[BUGS[name].variant], CASES[name].silent, dtype).sees for dtype in both)

    return clean


def fixed(name: str) -> Probe:
    """Return the probe for the fix: every oracle is quiet in both workloads, whichever request it looks at."""

    def clean(names: Names) -> bool:
        import torch

        from sharedstate.kvcache.cases import CASES
        from sharedstate.kvcache.oracles import ORACLES, alone

        case, right = CASES[name], names[BUGS[name].right]
        both = tuple(replace(workload, victim="") for workload in (case.minimal, case.silent))
        exact = [oracle for name, oracle in ORACLES.items() if name != "tokens"]  # equal logits have equal best tokens
        heard = [oracle(right, workload).sees for oracle in exact for workload in both]
        heard += [alone(right, workload, torch.float64).sees for workload in both]
        return not any(heard) and _strays(name, right, False)

    return clean


def _strays(name: str, variant: Any, wanted: bool) -> bool:
    """For OFF-02: are there bytes written that no id of 0 or more names? For the others there is no such question."""
    from sharedstate.kvcache.cases import CASES
    from sharedstate.kvcache.oracles import stray_writes

    return name != "OFF-02" or bool(stray_writes(variant, CASES[name].minimal)) is wanted


def _oracle(name: str) -> str:
    words = ["logits against the model alone without a cache (fp32 1e-4, fp64 1e-9)", *BUGS[name].oracles]
    return ", ".join(words + (["bytes written outside the batch's own slots"] if name == "OFF-02" else []))


def _fault(name: str) -> Fault:
    bug = BUGS[name]
    control = f"the same class where it is silent: {bug.because}"
    return Fault(name, UNIT, _oracle(name), control, bug.fix, shown(name), silent(name), fixed(name))


FAULTS: tuple[Fault, ...] = (*(_fault(name) for name in BUGS), *COPIES)
