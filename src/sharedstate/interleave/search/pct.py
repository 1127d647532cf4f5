"""Probabilistic concurrency testing (Burckhardt and others, 2010): random priorities, `depth - 1` changes."""

from __future__ import annotations

import random

from sharedstate.interleave.runs.protocol import Run


class Pct:
    """The thread with the highest priority moves; at `depth - 1` random steps it falls to the bottom."""

    def __init__(self, seed: int | str, depth: int) -> None:
        self.generator, self.depth = random.Random(seed), depth
        self.longest = 10
        self.ranks: dict[int, float] = {}
        self.drops: list[int] = []

    def more(self) -> bool:
        """There is always another one."""
        return True

    def begin(self, run: Run) -> None:
        """New priorities, and the steps at which they change."""
        self.run = run
        self.ranks = {t.index: self.depth + self.generator.random() for t in run.threads}
        self.drops = sorted(self.generator.sample(range(1, self.longest + self.depth), self.depth - 1))

    def choose(self, enabled: list[int]) -> int:
        """The thread with the highest priority."""
        ranks, run = self.ranks, self.run
        for born in run.threads[len(ranks) :] if len(run.threads) > len(ranks) else ():
            ranks[born.index] = self.depth + self.generator.random()
        chosen = max(enabled, key=ranks.__getitem__)
        for rank, place in enumerate(self.drops):
            if place == len(run.schedule):
                ranks[chosen] = rank
                chosen = max(enabled, key=ranks.__getitem__)
        return chosen

    def end(self, run: Run) -> None:
        """The longest schedule says where changes may be."""
        self.longest = max(self.longest, len(run.schedule))
