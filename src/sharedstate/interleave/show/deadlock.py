"""Who holds what and who waits for what when nobody can move, and the circle that they form."""

from __future__ import annotations

from dataclasses import dataclass

from sharedstate.interleave.schedule import Schedule, Step

HELD_BY = "held by "
DEAD_ENDS = ("deadlock", "no progress")


@dataclass(frozen=True)
class Wait:
    """One thread at a dead end: `holder` is the thread that must move first, "" where there is none.

    A thread that waits for another one's end has that thread as `target` and as `holder`.
    """

    thread: str
    target: str
    holder: str
    step: Step
    holds: tuple[Step, ...]


@dataclass(frozen=True)
class Knot:
    """Everybody who waits; `cycle` are those who wait for one another in a circle, in that order."""

    waits: tuple[Wait, ...]
    cycle: tuple[Wait, ...]


def held(trace: Schedule, thread: str) -> tuple[Step, ...]:
    """The steps with which a thread took the locks that it still holds, the first taken first."""
    taken: list[Step] = []
    for step in trace.steps:
        if step.thread != thread:
            continue
        if step.kind == "acquire" and step.value != "False":
            taken.append(step)
        elif step.kind in ("release", "wait"):
            last = next((one for one in reversed(taken) if one.target == step.target), None)
            taken = [one for one in taken if one is not last]
    return tuple(taken)


def knot(trace: Schedule) -> Knot | None:
    """Who waits for whom at the end of a schedule; None where nobody is stuck."""
    if trace.verdict not in DEAD_ENDS:
        return None
    stuck = [step for step in trace.steps if step.kind == "blocked"]
    holds = {step.thread: held(trace, step.thread) for step in stuck}
    waits = [Wait(s.thread, s.target, _holder(trace, s, holds), s, holds[s.thread]) for s in stuck]
    return Knot(tuple(waits), _circle(waits)) if waits else None


def _holder(trace: Schedule, step: Step, holds: dict[str, tuple[Step, ...]]) -> str:
    """Whom a stuck thread waits for: the lock's holder, the thread it joins, one who took the semaphore."""
    value = step.value or ""
    if value.startswith(HELD_BY):
        return value.removeprefix(HELD_BY)
    if step.target in trace.threads:
        return step.target
    return next((name for name, taken in holds.items() if step.target in {s.target for s in taken}), "")


def _circle(waits: list[Wait]) -> tuple[Wait, ...]:
    """Follow "waits for what X holds" from each thread until somebody comes twice."""
    by_name = {wait.thread: wait for wait in waits}
    for start in waits:
        path: list[Wait] = []
        here: Wait | None = start
        while here is not None and here not in path:
            path.append(here)
            here = by_name.get(here.holder)
        if here is not None:
            return tuple(path[path.index(here) :])
    return ()
