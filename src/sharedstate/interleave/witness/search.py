"""Plays schedules and looks for an outcome that nobody knows."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Container
from dataclasses import dataclass
from time import perf_counter
from types import CodeType
from typing import Any

from sharedstate.interleave.witness.cooperate import Stage
from sharedstate.interleave.witness.crew import FORGETS, Crew, Leave
from sharedstate.interleave.witness.schedule import DEADLOCK, Learned, Schedule

LEARNING = 3  # serial schedules: in order, in reverse, in order (from 3.12 the first run of a function goes unseen)


@dataclass(frozen=True)
class Sighting:
    """An outcome that the search did not know, and a schedule to read.

    `witness(..., seed=seed, schedules=LEARNING + 1)` runs the schedule again: the first LEARNING have no seed.
    """

    outcome: tuple
    schedule: str
    seed: int


@dataclass(frozen=True)
class Report:
    """What the witness tried: `schedules` came to their end, also in a deadlock, which has no outcome.

    `why` says in one sentence why it did not run; if it `ran`, what it gave up (mostly nothing: "").
    """

    ran: bool
    why: str
    schedules: int
    sighting: Sighting | None
    seconds: float


def witness(
    setup: Callable[[], Any],
    threads: dict[str, Callable[[Any], Any]],
    outcome: Callable[[Any, dict[str, Any]], Any],
    known: Container,
    *,
    schedules: int = 300,
    seconds: float = 1.0,
    seed: int = 0,
    follow: Callable[[CodeType], bool] = lambda code: True,
) -> Report:
    """Look for an outcome that is not `known`; stops at the first. `follow` tells whose instructions may be parted.

    Raises nothing but KeyboardInterrupt: what stands in the way (a tracer, no threads, asyncio) is in the report.
    """
    began = perf_counter()
    done, given_up, sighting, why = 0, Counter[str](), None, unfit(threads)
    crew, learned = Crew(follow), Learned()
    stage = Stage(crew.me)
    try:
        why = why or stage.claim() or crew.opcodes.open() or crew.enlist(len(threads))
        if not why:
            stage.open([setup, *threads.values()])
        crew.once = stage.locals and not FORGETS
        for number in range(0 if why else schedules):
            if (number and perf_counter() - began > seconds) or (number == LEARNING and not done):
                break
            own = seed + max(0, number - LEARNING)
            run = Schedule(crew, learned, own, learning=number < LEARNING, backwards=number == 1)
            stage.reset()
            seen = run.play(setup, threads, outcome)
            why = run.refusal
            if why:
                break
            done += run.end in ("", DEADLOCK)
            given_up.update([run.end] if run.end not in ("", DEADLOCK) else [])
            if run.end == "" and seen not in known:
                sighting = Sighting(seen, run.text(), own)
                break
    except (Exception, SystemExit, Leave) as error:
        why = f"setup, outcome or the interpreter raised {type(error).__name__}: {error}"
    finally:
        crew.close()
        crew.opcodes.close()
        stage.close()
    rest = "; ".join(f"{times} schedule{'s' * (times != 1)} given up: {end}" for end, times in given_up.items())
    ran = done > 0 and not why
    why = why or rest or ("" if ran else "there was no time for a schedule")
    return Report(ran, why, done, sighting if ran else None, perf_counter() - began)


def unfit(threads: dict[str, Callable[[Any], Any]]) -> str:
    """Why these threads are none for the witness; "" if they are."""
    if not threads:
        return "there are no threads"
    if any(inspect.iscoroutinefunction(call) for call in threads.values()):
        return "its threads are coroutines, which change hands only at await"
    return ""
