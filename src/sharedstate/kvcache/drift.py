"""What becomes of a pollution: the error of the logits afterwards, and the texts that go another way.

Three kinds. *passed*: one step is wrong, everything after it is right. *stays*: every step is wrong in the same way,
and there is old data to the end. *prefix*: a wrong prefix was taken for the prompt and is kept, while every step reads
what it should.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from sharedstate.kvcache.engine import SlotEngine
from sharedstate.model import GPT

KINDS = ("passed", "stays", "prefix")
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
        return (f"median error {first:.2g}, then {second:.2g} … {last:.2g}; a later error above the first: {self.above}"
                f" of {self.errors.shape[1]}; texts that differ: {int(self.apart[-1].sum())}")  # fmt: skip

    @property
    def above(self) -> int:
        """How many texts have a later error that is above their first."""
        return int((self.errors[1:].amax(0) > self.errors[0]).sum())


class Stained(SlotEngine):
    """A right engine, but for some first steps: those are done by an engine of another class, in the same cache."""

    def __init__(self, variant: type[SlotEngine], model: GPT, num_slots: int, capacity: int, wrong: int = 1) -> None:
        """Start with both engines on one cache, one set of slots; `wrong` steps are the other's."""
        super().__init__(model, num_slots, capacity)
        self.other, self.wrong = variant(model, num_slots, capacity), wrong
        self.other.cache, self.other.slots, self.other.padded = self.cache, self.slots, self.padded

    def step(self, tokens: Mapping[str, int]) -> dict[str, Tensor]:
        """Let the other engine do the first steps; do all later ones as a right engine does."""
        self.wrong -= 1
        return super().step(tokens) if self.wrong < 0 else self.other.step(tokens)


def drift(variant: type[SlotEngine], model: GPT, lines: Tensor, steps: int = 30, kind: str = "passed") -> Drift:
    """Serve a batch of texts, lines [B, OLD or more], in slots that were used before. The wrong engine `variant` does
    the first step ("passed"), every step ("stays"), or the prefill alone ("prefix": it keeps prompts to use them again,
    and earlier requests had prompts of the same length). Compare with a run that is right throughout.

    Raises ValueError for lines that are too short, or another kind.
    """
    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}, it must be one of {', '.join(KINDS)}.")
    if lines.shape[1] < max(OLD, PROMPT + steps + 1):
        raise ValueError(f"lines has {lines.shape[1]} tokens a row: {max(OLD, PROMPT + steps + 1)} are needed.")
    wrong, right = ({forced: _serve(engine, model, lines, steps, forced, kind) for forced in (True, False)}
                    for engine in (variant, SlotEngine))
    errors = (wrong[True] - right[True]).abs().amax(-1)  # [steps, B]
    other = wrong[False].argmax(-1) != right[False].argmax(-1)  # [steps, B]
    return Drift(errors, other.long().cumsum(0) > 0)


def by_context(
    variant: type[SlotEngine], model: GPT, lines: Tensor, own: Sequence[int], stale: int
) -> dict[int, float]:
    """Return {own tokens: median error of the logits} after prompts of these lengths, in slots with old data.

    stale: so many tokens of the last tenant lie after the prompt; lines are [B, S]. Raises ValueError for lines that
    are too short.
    """
    if lines.shape[1] < max(own) + stale:
        raise ValueError(f"lines has {lines.shape[1]} tokens a row: {max(own) + stale} are needed.")
    return {length: _after_prompt(variant, model, lines, length, stale) for length in own}


def _after_prompt(variant: type[SlotEngine], model: GPT, lines: Tensor, own: int, stale: int) -> float:
    """The median error over the lines: the same prompt in a used slot of the wrong engine, and in the right one."""
    errors = []
    for old, line in zip(lines.roll(7, 0).tolist(), lines.tolist(), strict=True):
        answers = []
        for kind in (variant, SlotEngine):
            engine = kind(model, 1, lines.shape[1])
            engine.add("old", old[: own + stale])
            engine.finish("old")
            answers.append(engine.add("new", line[:own]))
        errors.append((answers[0] - answers[1]).abs().max())
    return float(torch.stack(errors).median())


def _engine(variant: type[SlotEngine], model: GPT, lines: Tensor, steps: int, kind: str) -> SlotEngine:
    sizes = (model, len(lines), lines.shape[1])
    if kind == "prefix":
        return variant(*sizes, reuse=True)
    return Stained(variant, *sizes, wrong=1 if kind == "passed" else steps)


def _serve(variant: type[SlotEngine], model: GPT, lines: Tensor, steps: int, forced: bool, kind: str) -> Tensor:
    """Return the logits of all steps, [steps, B, vocab]; the tokens come from the lines (forced) or are the best."""
    engine, names = _engine(variant, model, lines, steps, kind), [str(k) for k in range(len(lines))]
    for name, line in zip(names, lines.roll(7, 0).tolist(), strict=True):
        engine.add(name, line[: {"passed": OLD, "stays": len(line) - 1, "prefix": PROMPT}[kind]])
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
