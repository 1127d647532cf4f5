"""What happens in an engine, written as a line of text, and played with forced tokens.

A script is a row of steps: "add a", "batch left a b" (a padded prefill), "step a b" (one token each, in one batch),
"fail a" (a step that breaks off before its end and is tried again), "finish a", "abort a", "leave a nan" (the
last value that `a` cached becomes this number). Steps are joined by "; ".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import torch
from torch import Tensor

from sharedstate.kvcache.engine import SlotEngine
from sharedstate.kvcache.slots import SlotCache
from sharedstate.kvcache.trouble import Interrupted, interrupt_once
from sharedstate.model import GPT, GPTConfig, attention, seeded
from sharedstate.model.attention import Attend

VOCAB = 16
PAD = 0
Contents = Mapping[str, tuple[int, ...]]
Variant = Callable[..., SlotEngine] | type[SlotCache]  # an engine class, what makes an engine, or a cache class


@dataclass(frozen=True)
class Workload:
    """A script, the prompt length of each request, and whose logits are looked at: everybody's unless told otherwise.

    victim: the only request that is looked at, "" for all. layers and positions choose the model.
    twins {"again": "a"} makes a request equal to another. Raises ValueError for a victim that is no request.
    """

    script: str
    lengths: Mapping[str, int]
    victim: str = ""
    slots: int = 1
    capacity: int = 16
    layers: int = 2
    positions: str = "rope"
    reuse: bool = False
    twins: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a victim that nobody is."""
        if self.victim and self.victim not in self.requests:
            raise ValueError(f"No request {self.victim!r} to look at. There are: {', '.join(self.requests)}.")

    @property
    def requests(self) -> tuple[str, ...]:
        """All requests by name, twins last."""
        return (*self.lengths, *self.twins)

    @property
    def watched(self) -> tuple[str, ...]:
        """The requests whose logits are looked at."""
        return (self.victim,) if self.victim else self.requests

    @property
    def steps(self) -> tuple[tuple[str, ...], ...]:
        """The script as words."""
        return tuple(tuple(step.split()) for step in self.script.split(";"))

    def model(self, dtype: torch.dtype = torch.float32, attend: Attend = attention) -> GPT:
        """Return the untrained model: d_model 64, 4 heads, 2 key/value heads, a vocabulary of 16."""
        shape = GPTConfig(VOCAB, self.layers, num_kv_heads=2, positions=self.positions, max_len=64)
        return GPT(shape, seed=0, attend=attend).to(dtype)

    def contents(self, seed: int = 0) -> dict[str, tuple[int, ...]]:
        """Return each request's tokens: the prompt, and after it the answers that are forced.

        None is padding, and no two of the first 15 requests begin with the same token (twins apart).
        """
        generator, spare = seeded(seed), len(self.steps)
        drawn: dict[str, tuple[int, ...]] = {}
        for name, length in self.lengths.items():
            first, *rest = torch.randint(1, VOCAB, (length + spare,), generator=generator).tolist()
            while len(drawn) < VOCAB - 1 and first in {line[0] for line in drawn.values()}:
                first = first % (VOCAB - 1) + 1
            drawn[name] = (first, *rest)
        return drawn | {twin: drawn[name] for twin, name in self.twins.items()}


@dataclass
class Played:
    """What came out: by request, for each of its outputs the logits, and how many of its tokens stood before it."""

    engine: SlotEngine
    tokens: dict[str, list[int]]
    logits: dict[str, list[Tensor]] = field(default_factory=dict)
    seen: dict[str, list[int]] = field(default_factory=dict)

    @property
    def watched(self) -> tuple[str, ...]:
        """The requests that were looked at and got an answer, in the order of their first one."""
        return tuple(self.logits)

    @property
    def outputs(self) -> Tensor:
        """All logits that were looked at, request after request, [outputs, vocab]."""
        return torch.stack([row for rows in self.logits.values() for row in rows])

    def rows(self) -> dict[str, slice]:
        """Return which of the outputs are whose."""
        found, start = {}, 0
        for name, rows in self.logits.items():
            found[name] = slice(start, start + len(rows))
            start += len(rows)
        return found


Before = Callable[[SlotEngine], None]


def engine_of(variant: Variant, workload: Workload, model: GPT, **options: Any) -> SlotEngine:
    """Return an engine of this class, or as this function makes it; a cache class is put into a plain SlotEngine.

    options: SlotEngine's.
    """
    sizes = (model, workload.slots, workload.capacity)
    options = {"reuse": workload.reuse, "pad_token": PAD, **options}
    if isinstance(variant, type) and issubclass(variant, SlotCache):
        return SlotEngine(*sizes, cache=variant, **options)
    return cast(Callable[..., SlotEngine], variant)(*sizes, **options)


def play(
    engine: SlotEngine, workload: Workload, contents: Contents, greedy: bool = False, before: Before | None = None
) -> Played:
    """Play the script. Tokens after the prompt are forced from `contents`, or chosen by argmax (greedy).

    `before` is called with the engine before every step of the script.
    """
    return Player(engine, workload, contents, greedy).run(before)


def reference(model: GPT, workload: Workload, contents: Contents, played: Played) -> Tensor:
    """Return what the logits that were looked at must be, [outputs, vocab]: the model alone, without any cache."""
    right = []
    for name, seen in played.seen.items():
        tokens = torch.tensor(contents[name])
        with torch.no_grad():
            whole = model(tokens[None, : max(seen)])[0]  # [S, vocab]
        right.append(whole[torch.tensor(seen) - 1])
    return torch.cat(right)


class Player:
    """Plays a script. It has one method a word of the script; each returns the logits of those that got some."""

    def __init__(self, engine: SlotEngine, workload: Workload, contents: Contents, greedy: bool = False) -> None:
        """See `play`."""
        self.engine, self.workload, self.contents, self.greedy = engine, workload, contents, greedy
        self.played = Played(engine, {})
        self.chosen: dict[str, int] = {}

    def run(self, before: Before | None = None) -> Played:
        """Play the whole script; `before` is called with the engine before every step."""
        for word, *names in self.workload.steps:
            if before is not None:
                before(self.engine)
            self.note(getattr(self, word)(*names))
        return self.played

    def add(self, name: str) -> dict[str, Tensor]:
        """Prefill one."""
        return {name: self.engine.add(name, self.prompt(name))}

    def batch(self, side: str, *names: str) -> dict[str, Tensor]:
        """Prefill several, padded."""
        return self.engine.add_batch({name: self.prompt(name) for name in names}, side)

    def step(self, *names: str) -> dict[str, Tensor]:
        """One token for each."""
        tokens = {name: self.next_token(name) for name in names}
        for name, token in tokens.items():
            self.played.tokens[name].append(token)
        return self.engine.step(tokens)

    def fail(self, *names: str) -> dict[str, Tensor]:
        """A step that breaks off late and is tried again."""
        tokens = {name: self.next_token(name) for name in names}
        with interrupt_once(self.engine.model.lm_head):
            try:
                self.engine.step(tokens)
            except Interrupted:
                return self.step(*names)
        raise AssertionError("the step was to break off, and did not")

    def finish(self, name: str) -> dict[str, Tensor]:
        """End one."""
        self.engine.finish(name)
        return {}

    def abort(self, name: str) -> dict[str, Tensor]:
        """End one before its time."""
        self.engine.abort(name)
        return {}

    def leave(self, name: str, number: str) -> dict[str, Tensor]:
        """Put a number where the last value of a request lies."""
        cache, slot = self.engine.cache, self.engine.slot_of(name)
        for row, columns in cache.where(slot, [cache.length(slot) - 1]):
            for layer in range(cache.num_layers):
                cache.by_place("values", layer)[row, columns] = float(number)
        return {}

    def prompt(self, name: str) -> list[int]:
        """Return a request's prompt; its tokens begin anew."""
        twin = self.workload.twins.get(name, name)
        prompt = list(self.contents[name][: self.workload.lengths[twin]])
        self.played.tokens[name] = list(prompt)
        return prompt

    def next_token(self, name: str) -> int:
        """Return the token that a request goes on with."""
        return self.chosen[name] if self.greedy else self.contents[name][len(self.played.tokens[name])]

    def note(self, logits: dict[str, Tensor]) -> None:
        """Keep the logits of those that are looked at, and everybody's best token."""
        self.chosen.update({name: int(row.argmax()) for name, row in logits.items()})
        for name in self.workload.watched:
            if name in logits:
                self.played.logits.setdefault(name, []).append(logits[name])
                self.played.seen.setdefault(name, []).append(len(self.played.tokens[name]))
