"""Every interleaving, each exactly once, depth first."""

from __future__ import annotations

from abc import abstractmethod

from sharedstate.interleave.findings import Findings
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.search.driver import NotDeterministic

# The beginning of a schedule, and the number of the site at which its last step is taken (-1: not known).
Beginning = tuple[bytes, int]
Stack = list[Beginning]


class Branching:
    """Follows a beginning, then goes on with as few switches as possible; every other way is for `later`."""

    def __init__(self, found: Findings) -> None:
        self.found = found
        self.prefix, self.site = b"", -1
        self.path = bytearray()  # the schedule so far; made from the list anew at every step it takes most of the time

    @abstractmethod
    def later(self, run: Run, preempts: bool, item: Beginning) -> None:
        """Another way, to be tried in its turn; `preempts` says whether it switches away from one who could go on."""

    def begin(self, run: Run) -> None:
        """The beginning is followed first."""
        self.run = run
        self.path = bytearray()

    def choose(self, enabled: list[int]) -> int:
        """The next step of the beginning; after it, whoever moved last goes on."""
        run = self.run
        place, prefix = len(run.schedule), self.prefix
        if place < len(prefix):
            index = prefix[place]
            known = place + 1 < len(prefix) or self.site < 0
            if index not in enabled or not (known or run.threads[index].site.index == self.site):
                raise NotDeterministic(f"step {place + 1} of the same schedule came out differently")
            return index
        last = run.last
        stays = last in enabled
        chosen = last if stays else enabled[0]
        if len(enabled) > 1:
            path = self.path
            path += bytes(run.schedule[len(path) :])
            for other in reversed(enabled):
                if other != chosen:
                    self.later(run, stays, (bytes(path) + bytes([other]), run.threads[other].site.index))
        return chosen

    def end(self, run: Run) -> None:
        """Nothing is left to say of a run."""


class All(Branching):
    """Every interleaving, or those below the beginnings of a `stack`.

    With `until`, stop when there are so many beginnings: what is left in the stack can be done elsewhere.
    With a `bound`, those with more preemptions are left out.
    """

    def __init__(self, found: Findings, stack: Stack | None = None, until: int = 0, bound: int | None = None) -> None:
        super().__init__(found)
        self.stack: Stack = [(b"", -1)] if stack is None else stack
        self.until, self.bound, self.left_out = until, bound, False
        found.bound = bound

    def later(self, run: Run, preempts: bool, item: Beginning) -> None:
        """Depth first: the last one put off is the next one tried."""
        if self.bound is None or run.preemptions + preempts <= self.bound:
            self.stack.append(item)
        else:
            self.left_out = True

    def more(self) -> bool:
        """True while there is a beginning left."""
        if not self.stack:
            self.found.complete = not self.left_out
        if not self.stack or 0 < self.until <= len(self.stack):
            return False
        self.prefix, self.site = self.stack.pop()
        return True
