"""A failing workload of many requests and tokens, shrunk to the smallest that still fails.

A workload is made smaller by leaving out requests, steps and the names in a step, by shorter prompts (one, or several
by the same number of tokens: some bugs need equal lengths), and by fewer slots. What cannot be played does not fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from types import MappingProxyType

from sharedstate.influence.shrinking import Shrunk, less, shrink, without
from sharedstate.kvcache.oracles import alone
from sharedstate.kvcache.paged import PagedCache
from sharedstate.kvcache.paged_engine import PagedEngine
from sharedstate.kvcache.prefix import Factors, Image
from sharedstate.kvcache.stories import Story, judge
from sharedstate.kvcache.workloads import Variant, Workload

UNPLAYABLE = (ValueError, RuntimeError, LookupError, AssertionError)
SIDES = (("left",), ("right",))
TOGETHER = 3  # so many requests at most have their prompts shortened as one
WAVES = (
    "add {0}; add {1}; add {2}; add {3}; step {0} {1} {2} {3}; finish {0}; step {1} {2} {3}; finish {1}; finish {2}; "
    "finish {3}",
    "batch left {0} {1} {2}; step {0} {1} {2}; finish {0}; add {3}; step {1} {2} {3}; finish {1}; finish {2}; "
    "finish {3}",
    "batch right {0} {1} {2} {3}; fail {1}; step {0} {1} {2} {3}; finish {3}; finish {2}; finish {0}; finish {1}",
    "add {0}; abort {0}; add {1}; step {1}; add {2}; step {1} {2}; add {3}; step {1} {2} {3}",
)
LENGTHS = (40, 24, 24, 17, 33, 12, 28, 24, 20, 31, 9, 26, 6, 8, 11, 8)


@dataclass(frozen=True)
class Sized:
    """A workload as a value that can be compared: script and lengths as tuples, the rest as it is in `plain`."""

    steps: tuple[tuple[str, ...], ...]
    lengths: tuple[tuple[str, int], ...]
    slots: int
    capacity: int

    @classmethod
    def of(cls, workload: Workload) -> Sized:
        """Return what of a workload can be made smaller."""
        return cls(workload.steps, tuple(workload.lengths.items()), workload.slots, workload.capacity)

    def put(self, workload: Workload) -> Workload:
        """Return the workload with these steps, lengths and slots; everybody is looked at."""
        script = "; ".join(" ".join(step) for step in self.steps)
        return replace(workload, script=script, lengths=dict(self.lengths), slots=self.slots, victim="", twins={})

    @property
    def size(self) -> tuple[int, int, int]:
        """(requests, steps, prompt tokens)."""
        return len(self.lengths), len(self.steps), sum(length for _, length in self.lengths)

    def smaller(self) -> Iterator[Sized]:
        """Yield smaller ones: fewer requests, fewer steps, fewer names in a step, shorter prompts, fewer slots."""
        for rest in without(self.lengths):
            if rest:
                yield self._only(rest)
        for steps in without(self.steps):
            if steps:
                yield replace(self, steps=steps)
        for at, (word, *names) in enumerate(self.steps):
            for left in without(names) if word in ("step", "batch") else ():
                if left and left not in SIDES and (word != "batch" or (left[0],) in SIDES):
                    yield replace(self, steps=(*self.steps[:at], (word, *left), *self.steps[at + 1 :]))
            if word == "batch" and len(names) == 2:  # a batch of one: no padding, so it is a plain request
                yield replace(self, steps=(*self.steps[:at], ("add", names[1]), *self.steps[at + 1 :]))
        yield from self._shorter()
        for slots in less(self.slots):
            yield replace(self, slots=slots)

    def _only(self, lengths: tuple[tuple[str, int], ...]) -> Sized:
        """Leave only these requests, in the steps too; a step of nobody is gone."""
        gone = {name for name, _ in self.lengths} - {name for name, _ in lengths}
        left = (tuple(word for word in step if word not in gone) for step in self.steps)
        steps = tuple(step for step in left if len(step) > 1 + (step[0] == "batch"))
        return replace(self, steps=steps, lengths=lengths)

    def _shorter(self) -> Iterator[Sized]:
        """Yield shorter prompts: all of them by as much, then pairs, then single ones."""
        count = len(self.lengths)
        groups = [tuple(range(count))] if count > TOGETHER else []
        for many in range(min(count, TOGETHER), 0, -1):
            groups += combinations(range(count), many)
        for group in groups:
            shortest = min(self.lengths[at][1] for at in group)
            for length in less(shortest):
                by = shortest - length
                yield replace(self, lengths=tuple((name, old - by * (at in group))
                                                  for at, (name, old) in enumerate(self.lengths)))  # fmt: skip


def crowd(positions: str = "rope", reuse: bool = False) -> Workload:
    """Return 16 requests in 4 slots of 64 tokens: alone and in batches, padded at both sides, aborted, tried again."""
    names = [f"r{number:x}" for number in range(len(LENGTHS))]
    script = "; ".join(wave.format(*names[4 * n : 4 * n + 4]) for n, wave in enumerate(WAVES))
    lengths: Mapping[str, int] = MappingProxyType(dict(zip(names, LENGTHS, strict=True)))
    return Workload(script, lengths, slots=4, capacity=64, positions=positions, reuse=reuse)


def shrink_workload(variant: Variant, workload: Workload, runs: int = 1000) -> Shrunk[Sized]:
    """Shrink a workload in which somebody's logits differ from those of the model alone, without a cache.

    Raises NotFailing when nobody's do. `Sized.put(workload)` makes a case playable again.
    """

    def fails(case: Sized) -> bool:
        try:
            return alone(variant, case.put(workload)).sees
        except UNPLAYABLE:
            return False

    return shrink(Sized.of(workload), fails, Sized.smaller, runs)


@dataclass(frozen=True)
class SizedStory:
    """A story of requests that share blocks, as a value: steps, and each prompt token by token."""

    steps: tuple[tuple[str, ...], ...]
    prompts: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def size(self) -> tuple[int, int, int]:
        """(requests with a prompt, steps, prompt tokens)."""
        return len(self.prompts), len(self.steps), sum(len(tokens) for _, tokens in self.prompts)

    def put(self, story: Story) -> Story:
        """Return the story with these steps and prompts."""
        return replace(story, script="; ".join(" ".join(step) for step in self.steps), prompts=dict(self.prompts))

    def smaller(self) -> Iterator[SizedStory]:
        """Yield smaller ones: fewer requests, fewer steps, fewer names in a step, fewer tokens in a prompt."""
        for prompts in without(self.prompts):
            if prompts:
                gone = {name for name, _ in self.prompts} - {name for name, _ in prompts}
                yield SizedStory(tuple(step for step in self.steps if not gone & set(step)), prompts)
        for steps in without(self.steps):
            if steps:
                yield replace(self, steps=steps)
        for at, (word, *names) in enumerate(self.steps):
            for left in without(names) if word == "step" else ():
                if left:
                    yield replace(self, steps=(*self.steps[:at], (word, *left), *self.steps[at + 1 :]))
        for at, (name, tokens) in enumerate(self.prompts):
            for rest in without(tokens):
                if rest:
                    yield replace(self, prompts=(*self.prompts[:at], (name, rest), *self.prompts[at + 1 :]))


def crowd_story() -> Story:
    """Return 16 requests of up to 60 tokens that share beginnings: forked, broken off, with an adapter and an image."""
    names, rng = "abcdefghijklmnop", Random(1)
    base = [rng.randrange(1, 16) for _ in range(40)]
    prompts, steps = {}, []
    for n, name in enumerate(names):
        if n % 4 != 3:  # the fourth is a fork of the first
            begin, cut = base if n % 4 == 1 else base[4:], rng.choice((8, 13, 20, 21))
            prompts[name] = (*begin[:cut], *(rng.randrange(1, 16) for _ in range(rng.randrange(4, 20))))
    for n in range(0, 16, 4):
        a, b, c, d = list(names[n : n + 4])
        steps += [f"add {a}", f"add {b}", f"fork {a} {d}", f"step {a} {b} {d}", f"step {a} {b} {d}", f"finish {b}",
                  f"fail {c}", f"add {c}", f"step {a} {c} {d}", f"finish {a}", f"step {c} {d}", f"finish {c}",
                  f"finish {d}"]  # fmt: skip
    factors = {"c": Factors(adapter="law"), "g": Factors(images=(Image(b"cat", 1, 2),))}
    return Story("; ".join(steps), prompts, factors, slots=4, capacity=64)


def shrink_story(kind: type[PagedEngine] | type[PagedCache], story: Story, runs: int = 1000) -> Shrunk[SizedStory]:
    """Shrink a story in which somebody's logits differ from their own alone. Raises NotFailing when nobody's do."""

    def fails(case: SizedStory) -> bool:
        try:
            return not judge(kind, case.put(story), ("alone",)).quiet
        except UNPLAYABLE:
            return False

    return shrink(SizedStory(story.steps, tuple(story.prompts.items())), fails, SizedStory.smaller, runs)
