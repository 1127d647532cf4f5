"""What a search has seen so far, and how much it may do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sharedstate.interleave.execution import CUT, Execution

LOGS_KEPT = 5_000


def rank(found: Execution) -> tuple:
    """Which of two failing executions is the smaller one."""
    return found.rank


@dataclass
class Findings:
    """What a search has seen so far."""

    executions: int = 0
    outcomes: set[tuple] = field(default_factory=set)
    failing: Execution | None = None
    waiting: dict[str, Execution] = field(default_factory=dict)
    logs: list[list[tuple] | None] | None = field(default_factory=list)
    kept: list[Execution] = field(default_factory=list)  # the executions of the first logs, in their order
    counts: dict[tuple, int] = field(default_factory=dict)
    complete: bool = False
    bound: int | None = None
    stopped: str = ""
    most_steps: int = 0
    blocked: int = 0
    reduced: bool = False
    stuck: int = 0
    cut: int = 0
    raising: Execution | None = None
    rank: Callable[[Execution], tuple] = rank

    def merge(self, other: Findings) -> None:
        """Take over what a search of another part has seen."""
        self.executions += other.executions
        self.blocked += other.blocked
        self.stuck += other.stuck
        self.cut += other.cut
        self.outcomes |= other.outcomes
        self.most_steps = max(self.most_steps, other.most_steps)
        self.complete &= other.complete
        self.stopped = self.stopped or other.stopped
        for outcome, count in other.counts.items():
            self.counts[outcome] = self.counts.get(outcome, 0) + count
        for found in filter(None, (other.failing, other.raising, *other.waiting.values())):
            self._keep(found)
        self.kept += other.kept
        both = None if self.logs is None or other.logs is None else self.logs + other.logs
        self.logs = None if both is None or len(both) > LOGS_KEPT else both

    def add(self, found: Execution, log: list[tuple] | None) -> None:
        """Count one execution; keep the smallest failing one. Without a `log`, its schedule can be run again for it."""
        self.executions += 1
        self.cut += found.status == CUT
        self.outcomes.add(found.outcome)
        self.counts[found.outcome] = self.counts.get(found.outcome, 0) + 1
        self.most_steps = max(self.most_steps, found.length)
        if found.violated or found.raised or found.status != "ok":
            self._keep(found)
        if self.logs is not None:
            self.logs.append(log)
            self.kept.append(found)
            if len(self.logs) > LOGS_KEPT:
                self.logs = None

    def _keep(self, found: Execution) -> None:
        """Remember the smallest failing execution, and the smallest dead end of each kind."""
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
