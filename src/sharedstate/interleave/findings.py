"""What a search has seen so far, and how much it may do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sharedstate.interleave.execution import CUT, Execution

KEPT, KEPT_STEPS = 5_000, 300_000


def rank(found: Execution) -> tuple:
    """Which of two failing executions is the smaller one."""
    return found.rank


@dataclass
class Findings:
    """What a search has seen so far: the outcomes with their `counts`, and the smallest execution of each failure.

    `kept` holds the schedules of the executions, in their order; None where there are too many to run them again.
    """

    executions: int = 0
    counts: dict[tuple, int] = field(default_factory=dict)
    failing: Execution | None = None
    raising: Execution | None = None
    waiting: dict[str, Execution] = field(default_factory=dict)
    kept: list[bytes] | None = field(default_factory=list)
    complete: bool = False
    bound: int | None = None
    stopped: str = ""
    most_steps: int = 0
    blocked: int = 0
    reduced: bool = False
    stuck: int = 0
    cut: int = 0
    steps: int = 0
    rank: Callable[[Execution], tuple] = rank

    def merge(self, other: Findings) -> None:
        """Take over what a search of another part has seen."""
        self.executions += other.executions
        self.blocked += other.blocked
        self.stuck += other.stuck
        self.cut += other.cut
        self.most_steps = max(self.most_steps, other.most_steps)
        self.complete &= other.complete
        self.stopped = self.stopped or other.stopped
        for outcome, count in other.counts.items():
            self.counts[outcome] = self.counts.get(outcome, 0) + count
        for found in filter(None, (other.failing, other.raising, *other.waiting.values())):
            self.keep(found)
        both = None if self.kept is None or other.kept is None else self.kept + other.kept
        self.steps += other.steps
        self.kept = None if both is None or len(both) > KEPT or self.steps > KEPT_STEPS else both

    def add(self, outcome: tuple, schedule: bytes) -> None:
        """Count one execution."""
        self.executions += 1
        counts, kept, length = self.counts, self.kept, len(schedule)
        counts[outcome] = counts.get(outcome, 0) + 1
        if length > self.most_steps:
            self.most_steps = length
        if kept is not None:
            kept.append(schedule)
            self.steps += length
            if len(kept) > KEPT or self.steps > KEPT_STEPS:
                self.kept = None

    def keep(self, found: Execution) -> None:
        """Remember the smallest failing execution, the smallest raising one, and the smallest dead end of each kind."""
        self.cut += found.status == CUT
        if found.violated and (self.failing is None or self.rank(found) < self.rank(self.failing)):
            self.failing = found
        if found.raised and (self.raising is None or self.rank(found) < self.rank(self.raising)):
            self.raising = found
        if found.status not in ("ok", CUT):
            best = self.waiting.get(found.status)
            if best is None or self.rank(found) < self.rank(best):
                self.waiting[found.status] = found


@dataclass(frozen=True)
class Budget:
    """How much a search may do."""

    executions: int
    seconds: float
    first: bool = False
