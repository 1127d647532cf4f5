"""Can it fail on this interpreter today? Asked of the failing schedules, not only of the smallest one."""

from __future__ import annotations

from dataclasses import dataclass

from sharedstate.interleave.engine import Engine
from sharedstate.interleave.execution import Execution
from sharedstate.interleave.findings import Budget
from sharedstate.interleave.possible import interpreter
from sharedstate.interleave.search.driver import Search
from sharedstate.interleave.search.preemptions import Preemptions
from sharedstate.interleave.trace import Trace
from sharedstate.wording import count

BUDGET = Budget(3_000, 5.0)
EXTRA = 1
MOST_JUDGED = 300


@dataclass(frozen=True)
class Today:
    """The answer: a failing schedule that this interpreter may take, or how many were judged in vain.

    `trace` is None if none of the `judged` failing schedules is possible today. `complete`: these were all
    that fail with at most `bound` preemptions; otherwise the search or the judging ended before.
    """

    trace: Trace | None
    judged: int
    bound: int
    complete: bool
    interpreter: str

    def __str__(self) -> str:
        """The answer in one sentence."""
        limit = f"with at most {count(self.bound, 'preemption')}"
        if self.trace is not None:
            return f"possible on this interpreter ({self.interpreter}): token {self.trace.token}"
        if not self.judged:
            return f"no failing schedule {limit} was found"
        which = "all" if self.complete else "the first"
        return (
            f"not today on {self.interpreter}: {which} {count(self.judged, 'failing schedule')} {limit} "
            f"need{'s' * (self.judged == 1)} a switch where it does not look for other threads"
        )


def today(engine: Engine, minimal: Trace) -> Today:
    """Judge failing schedules, the smallest first, up to one preemption more than the smallest needs.

    minimal: the trace of the smallest failing schedule; it is the answer where it is possible itself.
    """
    bound, name = minimal.preemptions + EXTRA, interpreter(engine.gil)
    if minimal.possible:
        return Today(minimal, 1, bound, False, name)
    search = Search(engine.make, engine.questions, BUDGET, engine.program.revision)
    try:
        found = search.explore(Preemptions(search.found, bound))
    finally:
        search.close()
    executions = [execution for execution, _ in engine.replays(found) or ()]
    failing = sorted((e for e in executions if _fails(e, minimal)), key=lambda e: e.rank)
    for number, execution in enumerate(failing[:MOST_JUDGED], 1):
        trace = _trace(engine, execution)
        if trace.possible:
            return Today(trace, number, bound, False, name)
    complete = (found.complete or found.bound == bound) and len(failing) <= MOST_JUDGED
    return Today(None, min(len(failing), MOST_JUDGED), bound, complete, name)


def _fails(execution: Execution, minimal: Trace) -> bool:
    """True for a schedule that goes wrong in the same way."""
    return execution.violated if minimal.violated else execution.status == minimal.verdict


def _trace(engine: Engine, execution: Execution) -> Trace:
    """The trace of one execution, without a confirmation."""
    run, _ = engine.follow(execution.schedule)
    try:
        return engine.trace(run)
    finally:
        run.close()
