"""You are the scheduler: one step at a time, with undo, and a way to the goal."""

from __future__ import annotations

import copy

from sharedstate.interleave.engine import Engine
from sharedstate.interleave.execution import (
    Execution,
    Questions,
    ScenarioError,
    blocked_reason,
    index_of,
    status_of,
    violated,
)
from sharedstate.interleave.findings import Budget
from sharedstate.interleave.pool import Pool
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.search.driver import Search
from sharedstate.interleave.search.preemptions import Switches
from sharedstate.interleave.trace import Step, Trace

SOLUTION_BUDGET = Budget(20_000, 5.0)
GOALS = ("violation", "deadlock")


class Session:
    """A schedule that grows step by step.

    `threads` are the names; `enabled` those that can move; `blocked` says by name why a thread cannot;
    `finished` those that have ended; `schedule` the names of the steps so far. The `goal` is a "violation"
    of the scenario's property, or a "deadlock".
    """

    def __init__(self, engine: Engine, goal: str = "violation") -> None:
        if goal not in GOALS:
            raise ScenarioError(f"goal must be one of {', '.join(GOALS)}, not {goal!r}")
        self._engine, self.goal = copy.copy(engine), goal
        self._engine.pool, self._engine.live, self._engine.streams = Pool(), [], ()
        self._run = self._fresh(b"")

    def _fresh(self, schedule: bytes) -> Run:
        """A new run, brought to this schedule."""
        return self._engine.begin(schedule)[0]

    @property
    def threads(self) -> tuple[str, ...]:
        """The names of the threads, those that the program has started itself at the end."""
        return tuple(t.name for t in self._run.threads)

    @property
    def schedule(self) -> list[str]:
        """The names of the steps so far."""
        return [self.threads[i] for i in self._run.schedule]

    @property
    def enabled(self) -> list[str]:
        """The threads that can take a step now."""
        return [self.threads[i] for i in self._run.enabled()]

    @property
    def blocked(self) -> dict[str, str]:
        """The threads that wait, each with the reason in words."""
        run, movable = self._run, self._run.enabled()
        return {t.name: blocked_reason(run, t) for t in run.threads if not t.done and t.index not in movable}

    @property
    def finished(self) -> list[str]:
        """The threads that have ended."""
        return [t.name for t in self._run.threads if t.done]

    @property
    def violated(self) -> bool:
        """True once the property is broken: `always` on the way, `never` when all have ended."""
        return violated(self._run, self._engine.questions, status_of(self._run))

    @property
    def reached(self) -> bool:
        """True once the goal is reached."""
        if self.goal == "violation":
            return self.violated
        return not self._run.enabled() and status_of(self._run) == "deadlock"

    def _index(self, name: str) -> int:
        """The number of a thread. Raises ScenarioError for a name that is not one."""
        return index_of(self._run, name)

    def pending(self, name: str) -> Step | None:
        """What a thread would do next (its value is not known yet); None if it has ended."""
        return self._run.preview(self._index(name))

    def step(self, name: str) -> Step:
        """Let a thread take one step. Raises ScenarioError if it has ended or must wait."""
        index = self._index(name)
        enabled = self._run.enabled()
        if index not in enabled:
            reason = self.blocked.get(name, "has already ended")
            raise ScenarioError(f"{name} cannot move: it {reason}")
        self._run.move(index, enabled)
        return self._run.steps[-1]

    def undo(self) -> None:
        """Take the last step back; nothing happens at the beginning."""
        self.rewind(len(self._run.schedule) - 1)

    def rewind(self, length: int = 0) -> None:
        """Go back to the first `length` steps of this schedule."""
        schedule = bytes(self._run.schedule)[: max(0, length)]
        self._run.close()
        self._run = self._fresh(schedule)

    def trace(self) -> Trace:
        """The schedule so far as a trace (replayed, so that the session can go on)."""
        done = bytes(self._run.schedule)
        self._run.close()
        run = self._fresh(done)
        try:
            return self._engine.trace(run)
        finally:
            run.close()
            self._run = self._fresh(done)

    def solution(self) -> list[str] | None:
        """The names that lead from here to the goal, with the fewest switches; None if none was found."""
        done = bytes(self._run.schedule)
        engine = self._engine
        self._run.close()
        questions = engine.questions if self.goal == "violation" else Questions(dead_end=True)
        search = Search(engine.make, questions, SOLUTION_BUDGET, engine.program.revision)
        search.found.rank = _by_switches
        names: list[str] = []
        try:
            most = len(done) + 64
            failing = search.explore(Switches(search.found, most, done)).failing
            if failing is not None:
                self._run = self._fresh(failing.schedule)
                names = self.schedule[len(done) :]
                self._run.close()
        finally:
            search.close()
            self._run = self._fresh(done)
        return None if failing is None else names

    def __del__(self) -> None:
        """Nobody has closed it: its threads end in silence, and not as generators that Python closes."""
        if "_run" in self.__dict__:
            self._run.close()

    def close(self) -> None:
        """Drop the run; real threads, if there are any, end. The session is over."""
        self._run.close()
        self._engine.pool.close()


def _by_switches(execution: Execution) -> tuple[int, int, bytes]:
    """Fewest switches, then fewest steps, then the earliest switch."""
    return (execution.switches, execution.length, execution.schedule)
