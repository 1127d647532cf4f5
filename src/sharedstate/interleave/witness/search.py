"""Plays schedules and looks for an outcome that nobody knows."""

from __future__ import annotations

import functools
import inspect
import logging
from collections import Counter
from collections.abc import Callable, Container
from dataclasses import dataclass, field
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
    look = Search(setup, threads, outcome, known, Crew(functools.cache(follow)))
    pools = logging.getLogger("concurrent.futures")  # a pool's worker that is unwound would say so
    quiet, pools.disabled = pools.disabled, True
    stage = Stage(look.crew.me)
    try:
        look.why = unfit(threads) or stage.claim() or look.crew.opcodes.open() or look.crew.enlist(len(threads))
        if not look.why:
            stage.open([setup, *threads.values()])
            look.crew.once = stage.locals and not FORGETS
        for number in range(0 if look.why else schedules):
            stage.reset()
            look.play(number, seed + max(0, number - LEARNING))
            if look.why or look.sighting or look.hopeless(number) or perf_counter() - began > seconds:
                break
    except (Exception, SystemExit, Leave) as error:
        look.why = f"setup, outcome or the interpreter raised {type(error).__name__}: {error}"
    finally:
        pools.disabled = quiet
        look.crew.close()
        look.crew.opcodes.close()
        stage.close()
    return look.report(perf_counter() - began)


@dataclass
class Search:
    """What the schedules have shown so far."""

    setup: Callable[[], Any]
    threads: dict[str, Callable[[Any], Any]]
    outcome: Callable[[Any, dict[str, Any]], Any]
    known: Container
    crew: Crew
    why: str = ""
    done: int = 0
    sighting: Sighting | None = None
    learned: Learned = field(default_factory=Learned)
    given_up: Counter[str] = field(default_factory=Counter)

    def play(self, number: int, seed: int) -> None:
        """Play one schedule and judge its outcome."""
        run = Schedule(self.crew, self.learned, seed, learning=number < LEARNING, backwards=number == 1)
        seen = run.play(self.setup, self.threads, self.outcome)
        self.why = run.refusal
        if self.why:
            return
        if run.end in ("", DEADLOCK):
            self.done += 1
        else:
            self.given_up[run.end] += 1
        if run.end == "" and seen not in self.known:
            self.sighting = Sighting(seen, run.text(), seed)

    def hopeless(self, number: int) -> bool:
        """Not one of the serial schedules came to its end."""
        return number == LEARNING - 1 and self.done == 0

    def report(self, seconds: float) -> Report:
        """The result."""
        rest = "; ".join(f"{n} schedule{'s' * (n != 1)} given up: {end}" for end, n in self.given_up.items())
        ran = self.done > 0 and not self.why
        why = self.why or rest or ("" if ran else "there was no time for a schedule")
        return Report(ran, why, self.done, self.sighting if ran else None, seconds)


def unfit(threads: dict[str, Callable[[Any], Any]]) -> str:
    """Why these threads are none for the witness; "" if they are."""
    if not threads:
        return "there are no threads"
    if any(inspect.iscoroutinefunction(call) for call in threads.values()):
        return "its threads are coroutines, which change hands only at await"
    return ""
