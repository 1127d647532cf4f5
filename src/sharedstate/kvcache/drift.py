"""What becomes of one polluted step: the error of the logits afterwards, and the texts that go another way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from sharedstate.kvcache.engine import SlotEngine
from sharedstate.model import GPT

OLD, PROMPT = 40, 6  # tokens of the request that was in the slot before, and of the prompt


@dataclass(frozen=True)
class Drift:
    """errors [steps, B]: the largest error of each request's logits, the same tokens forced on both runs; apart
    [steps, B]: whether the texts differ by then when each run feeds back its own best token.
    """

    errors: Tensor
    apart: Tensor

    @property
    def median(self) -> tuple[float, ...]:
        """The median error at each step."""
        return tuple(self.errors.median(1).values.tolist())

    @property
    def differ(self) -> tuple[float, ...]:
        """The share of texts that differ, at each step."""
        return tuple(self.apart.float().mean(1).tolist())

    @property
    def text(self) -> str:
        """Both in one line."""
        first, second, last = self.median[0], self.median[1], self.median[-1]
        above = int((self.errors[1:].amax(0) > self.errors[0]).sum())
        return (f"median error {first:.2g}, then {second:.2g} … {last:.1g}; a later error above the first: {above} of "
                f"{self.errors.shape[1]}; texts that differ: {int(self.apart[-1].sum())}")  # fmt: skip


class Stained(SlotEngine):
    """A right engine, but for its first step: that one is done by an engine of another class, in the same cache."""

    def __init__(self, variant: type[SlotEngine], model: GPT, num_slots: int, capacity: int) -> None:
        """Start with both engines on one cache, one set of slots."""
        super().__init__(model, num_slots, capacity)
        first = variant(model, num_slots, capacity)
        first.cache, first.slots, first.padded = self.cache, self.slots, self.padded
        self.first: SlotEngine | None = first

    def step(self, tokens: Mapping[str, int]) -> dict[str, Tensor]:
        """Let the other engine do the first step; do all later ones as a right engine does."""
        first, self.first = self.first, None
        return super().step(tokens) if first is None else first.step(tokens)


def drift(variant: type[SlotEngine], model: GPT, lines: Tensor, steps: int = 30) -> Drift:
    """Serve a batch of texts, lines [B, OLD or more], in slots that were used before; the wrong engine `variant` does
    the first step, a right one all others. Compare with a run that is right throughout.

    Raises ValueError for lines that are too short.
    """
    if lines.shape[1] < max(OLD, PROMPT + steps + 1):
        raise ValueError(f"lines has {lines.shape[1]} tokens a row: {max(OLD, PROMPT + steps + 1)} are needed.")
    wrong, right = ({forced: _serve(kind, model, lines, steps, forced) for forced in (True, False)}
                    for kind in (variant, SlotEngine))
    errors = (wrong[True] - right[True]).abs().amax(-1)  # [steps, B]
    other = wrong[False].argmax(-1) != right[False].argmax(-1)  # [steps, B]
    return Drift(errors, other.long().cumsum(0) > 0)


def _serve(variant: type[SlotEngine], model: GPT, lines: Tensor, steps: int, forced: bool) -> Tensor:
    """Return the logits of all steps, [steps, B, vocab]; the tokens come from the lines (forced) or are the best."""
    engine, names = Stained(variant, model, len(lines), lines.shape[1]), [str(k) for k in range(len(lines))]
    for name, line in zip(names, lines.roll(7, 0).tolist(), strict=True):
        engine.add(name, line[:OLD])
    for name in names:
        engine.finish(name)
    for name, line in zip(names, lines.tolist(), strict=True):
        engine.add(name, line[:PROMPT])
    logits: list[Tensor] = []
    tokens: Sequence[int] = lines[:, PROMPT].tolist()
    for step in range(steps):
        answers = engine.step(dict(zip(names, tokens, strict=True)))
        logits.append(torch.stack([answers[name] for name in names]))  # [B, vocab]
        tokens = _next(logits[-1], lines[:, PROMPT + step + 1], forced)
    return torch.stack(logits)  # [steps, B, vocab]


def _next(logits: Tensor, line: Tensor, forced: bool) -> Sequence[int]:
    return (line if forced else logits.argmax(-1)).tolist()
