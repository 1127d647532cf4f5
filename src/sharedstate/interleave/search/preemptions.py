"""Every interleaving with at most so many preemptions, fewest first, each exactly once. No reduction.

To prune under a bound, with sleep sets or DPOR, would lose outcomes.
"""

from __future__ import annotations

from sharedstate.interleave.findings import Findings
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.search.all import Beginning, Branching, Stack


class Preemptions(Branching):
    """Level after level: no preemption, one, two, up to `bound`."""

    def __init__(self, found: Findings, bound: int, prefix: bytes = b"") -> None:
        super().__init__(found)
        self.bound, self.fixed = bound, len(prefix)
        self.level, self.base = 0, 0
        self.levels: dict[int, Stack] = {0: [(prefix, -1)]}

    def cost(self, run: Run, preempts: bool) -> int:
        """What a schedule costs that goes another way here."""
        return run.preemptions + preempts

    def later(self, run: Run, preempts: bool, item: Beginning) -> None:
        """A dearer way waits for its level."""
        level = max(self.level, self.cost(run, preempts) - self.base)
        self.levels.setdefault(level, []).append(item)

    def more(self) -> bool:
        """True while a level within the bound has a beginning left."""
        while not self.levels.get(self.level):
            self.levels.pop(self.level, None)
            self.found.bound = self.level
            if self.enough():
                return False
            if not self.levels:
                self.found.complete = True
                return False
            if self.level == self.bound:
                return False
            self.level += 1
        self.prefix, self.site = self.levels[self.level].pop()
        return True

    def enough(self) -> bool:
        """True if no level to come can matter."""
        return False


class Switches(Preemptions):
    """All switches count, not only preemptions, and those of the `prefix` do not; the cheapest failure ends it."""

    def cost(self, run: Run, preempts: bool) -> int:
        """Every switch costs one."""
        return run.switches + (run.last >= 0)

    def choose(self, enabled: list[int]) -> int:
        """As the others do; the switches of the prefix are counted on the way."""
        if len(self.run.schedule) == self.fixed:
            self.base = self.run.switches
        return super().choose(enabled)

    def enough(self) -> bool:
        """True if a failure was found that no dearer schedule can undercut."""
        failing = self.found.failing
        return failing is not None and failing.switches <= self.level + self.base
