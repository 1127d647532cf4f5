"""The smallest failing schedule, the pair of accesses to blame, and its confirmation on real threads."""

from __future__ import annotations

from sharedstate.interleave.engine import Engine
from sharedstate.interleave.execution import Course, Execution
from sharedstate.interleave.trace import Trace

FLIPS = 40


def minimal_trace(engine: Engine, execution: Execution) -> Trace:
    """The trace of a failing execution, with the pair to blame, confirmed where real threads agree."""
    pair = blame(engine, execution) if execution.violated else None
    course, _ = engine.follow(execution.schedule)
    try:
        trace = engine.trace(course, pair)
    finally:
        course.run.close()
    return engine.confirmed(trace, execution.schedule)


def blame(engine: Engine, execution: Execution) -> tuple[int, int] | None:
    """The pair of steps whose order makes the difference: with the pair flipped, the failure is gone.

    Pairs where one thread reads what another wrote come first, the latest first. None if no single pair does it.
    """
    course, _ = engine.follow(execution.schedule)
    pairs = candidates(course)
    steps = course.run.rows if course.run.asynchronous else range(len(course.run.steps))
    course.run.close()
    for first, second in pairs[:FLIPS]:
        flipped = flip(engine, execution.schedule, steps[first], steps[second])
        if flipped is False:
            return first, second
    return None


def candidates(course: Course) -> list[tuple[int, int]]:
    """Conflicting pairs of steps of different threads, the most telling first."""
    steps = course.run.steps
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
    course = Course(engine.make(True), engine.questions)
    try:
        for index in schedule[:first] + ahead:
            enabled = course.run.enabled()
            if index not in enabled:
                return None
            course.step(index, enabled)
        _finish(course, rest)
        return course.finish().violated
    finally:
        course.run.close()


def _finish(course: Course, rest: bytes) -> None:
    """Follow the rest as far as it is possible, then end without further switches."""
    for index in rest:
        enabled = course.run.enabled()
        if index in enabled:
            course.step(index, enabled)
    course.run_out(len(course.run.schedule) + 1000)
