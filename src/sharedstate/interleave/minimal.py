"""The smallest failing schedule, the pair of accesses to blame, and its confirmation on real threads."""

from __future__ import annotations

from sharedstate.interleave.engine import Engine
from sharedstate.interleave.execution import Execution, finish
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.trace import Trace

FLIPS = 40


def minimal_trace(engine: Engine, execution: Execution) -> Trace:
    """The trace of a failing execution, with the pair to blame, confirmed where real threads agree."""
    pair = blame(engine, execution) if execution.violated else None
    run, _ = engine.follow(execution.schedule)
    try:
        trace = engine.trace(run, pair)
    finally:
        run.close()
    return engine.confirmed(trace, execution.schedule)


def blame(engine: Engine, execution: Execution) -> tuple[int, int] | None:
    """The pair of steps whose order makes the difference: with the pair flipped, the failure is gone.

    Pairs where one thread reads what another wrote come first, the latest first. None if no single pair does it.
    """
    run, _ = engine.follow(execution.schedule)
    pairs = candidates(run)
    steps = run.rows if run.asynchronous else range(len(run.steps))
    run.close()
    for first, second in pairs[:FLIPS]:
        flipped = flip(engine, execution.schedule, steps[first], steps[second])
        if flipped is False:
            return first, second
    return None


def candidates(run: Run) -> list[tuple[int, int]]:
    """Conflicting pairs of steps of different threads, the most telling first."""
    steps = run.steps
    found = []
    for second, later in enumerate(steps):
        for first in range(second - 1, -1, -1):
            earlier = steps[first]
            if earlier.target != later.target or earlier.thread == later.thread:
                continue
            kinds = (earlier.kind, later.kind)
            if kinds == ("read", "read") or "acquire" in kinds or "release" in kinds:
                continue
            order = 0 if later.kind == "read" else 1 if earlier.kind != "read" else 2
            found.append((order, -second, -first))
    return [(-first, -second) for _, second, first in sorted(found)]


def flip(engine: Engine, schedule: bytes, first: int, second: int) -> bool | None:
    """Let the thread of `second` come before the step `first`, then go on as before; True if it still fails.

    None if that order is not possible.
    """
    mover = schedule[second]
    between = schedule[first:second]
    ahead = bytes(t for t in between if t == mover) + bytes([mover])
    rest = bytes(t for t in between if t != mover) + schedule[second + 1 :]
    run, possible = engine.begin(schedule[:first] + ahead, onward=True, rest=rest)
    try:
        return finish(run, engine.questions).violated if possible else None
    finally:
        run.close()
