"""The one loop that runs a schedule, and a search: one schedule after another until the budget is used up."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from sharedstate.interleave.execution import STEP_LIMIT, Questions, finish, outcome_of
from sharedstate.interleave.findings import Budget, Findings
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sites import OutOfSteps

STUCK_LIMIT = 20


class NotDeterministic(Exception):
    """The same schedule did something else; the message says where."""


class Restart(Exception):
    """More of the program is known to be shared than when the search began."""


class Scheduler(Protocol):
    """Who says who moves."""

    def begin(self, run: Run) -> None:
        """A run is about to start."""

    def choose(self, enabled: list[int]) -> int:
        """The thread that moves next, one of `enabled`; -1 to leave the run here."""


class Strategy(Scheduler, Protocol):
    """A scheduler that knows which schedules are to be tried."""

    def more(self) -> bool:
        """True if there is another schedule to try; it is the next one."""

    def end(self, run: Run) -> None:
        """A run has come to its end, or was left."""


def short_enough(run: Run) -> bool:
    """True if a schedule may become longer."""
    return len(run.schedule) < STEP_LIMIT


def drive(run: Run, scheduler: Scheduler, goes_on: Callable[[Run], bool] = short_enough) -> bool:
    """Let a run go on as a scheduler says, until nobody can move; False if the scheduler has left it before."""
    scheduler.begin(run)
    while (enabled := run.enabled()) and goes_on(run):
        if not run.proceed(scheduler.choose, enabled):
            return False
    return True


class Search:
    """Runs schedules of one scenario and gathers what came out. `written`: how much was known to be shared then."""

    def __init__(self, make: Callable[[], Run], questions: Questions, budget: Budget, written: int) -> None:
        self.make, self.questions, self.budget, self.written = make, questions, budget, written
        self.found = Findings()
        self.current: Run | None = None
        self.deadline = time.monotonic() + budget.seconds

    def explore(self, strategy: Strategy) -> Findings:
        """Try what the strategy wants tried; a schedule that does not end within the limits ends the search."""
        try:
            while not self.over() and strategy.more():
                self._try(strategy)
        except OutOfSteps as problem:
            self.found.stopped, self.found.complete = str(problem), False
        return self.found

    def _try(self, strategy: Strategy) -> None:
        """One schedule."""
        run = self.start()
        whole = drive(run, strategy, self.goes_on)
        strategy.end(run)
        if whole:
            self.record(run)
        else:  # it can only repeat what was seen
            self.found.executions += 1
            self.found.blocked += 1
            run.close()

    def start(self) -> Run:
        """A fresh run, remembered so that an interrupt can close it."""
        run = self.current = self.make()
        run.noting = not run.fast or run.program.looping
        if self.questions.always is not None:
            self.questions.watch(run)
        return run

    def close(self) -> None:
        """Close the run that an interrupt or an error left open."""
        if self.current is not None:
            self.current.close()

    def record(self, run: Run) -> None:
        """Finish a run and add it to the findings."""
        outcome = outcome_of(run, self.questions)
        if outcome is not None:
            self.found.add(outcome, bytes(run.schedule))
        else:
            execution = finish(run, self.questions)
            self.found.keep(execution)
            self.found.add(execution.outcome, execution.schedule)
            if execution.status != "ok":
                stuck = (not t.done and t.reason and t.spinning < 0 and not t.looked for t in run.threads)
                self.found.stuck += any(stuck)
        run.close()
        if run.program.revision != self.written:
            raise Restart

    def goes_on(self, run: Run) -> bool:
        """True if a schedule may become longer. Raises OutOfSteps where the time is up in the middle of one."""
        length = len(run.schedule)
        if length & 127 == 0 and time.monotonic() > self.deadline:
            raise OutOfSteps(f"ran out of time after {self.found.executions} executions")
        return length < STEP_LIMIT

    def over(self) -> bool:
        """True if the budget is used up or the first failure was all that was asked for."""
        found = self.found
        if self.budget.first and (found.failing or found.raising or found.waiting):
            found.stopped = "stopped at the first failure"
        elif found.executions >= self.budget.executions:
            found.stopped = f"ran out after {found.executions} executions"
        elif time.monotonic() > self.deadline:
            found.stopped = f"ran out of time after {found.executions} executions"
        elif found.stuck >= STUCK_LIMIT:
            found.stopped = f"stopped after {found.stuck} schedules in which a loop did not end"
        return bool(found.stopped)
