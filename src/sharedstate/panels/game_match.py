"""One player against the explorer at one level, without a widget: best score, the duel, the claim."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sharedstate.panels.scheduler_game import SchedulerGame, Snapshot
from sharedstate.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from sharedstate.game import Level
    from sharedstate.interleave.trace import Trace


@dataclass(frozen=True)
class Answer:
    """What the explorer says, and the schedule it shows for it, if any."""

    text: str
    trace: Trace | None = None


class Match:
    """A level, the player's game on it, and what has been reached.

    `best` is the player's fewest switches so far (None: not reached), `proved` is true once a right claim
    that the goal is impossible was proved. `clock` gives seconds.
    """

    def __init__(self, level: Level, clock: Callable[[], float] = time.monotonic) -> None:
        self.level, self._clock = level, clock
        self.game = SchedulerGame(level.scenario(), level.goal)
        self.best: int | None = None
        self.proved = False
        self._began = self._took = 0.0

    @property
    def done(self) -> bool:
        """True once the goal was reached, or proved to be out of reach."""
        return self.proved or self.best is not None

    def note(self, now: Snapshot) -> None:
        """See what the player has: the first move starts the clock, the first success stops it."""
        if now.trace.schedule and not self._began:
            self._began = self._clock()
        if not now.won:
            return
        if self.best is None:
            self._took = self._clock() - self._began
        self.best = now.switches if self.best is None else min(self.best, now.switches)

    def explorer_turn(self) -> Answer:
        """Let the explorer play, and compare."""
        started = self._clock()
        moves = self.level.solution()
        took = self._clock() - started
        if moves is None:
            return Answer(f"The explorer does not reach it either. {self._proof()}")
        trace = self.level.scenario().play(moves)
        theirs = f"The explorer: {count(trace.switches, 'switch')}, found in {_span(took)}."
        if self.best is None:
            return Answer(f"{theirs} You have not reached the goal yet. Reset, and do it yourself.", trace)
        ours = f"You: {count(self.best, 'switch')}, {_span(self._took)}."
        even = self.best <= trace.switches
        said = "A draw: nobody can do it in fewer." if even else "The explorer wins. Can you match it?"
        return Answer(f"{ours} {theirs} {said}", trace)

    def claim(self) -> Answer:
        """The player says that the goal cannot be reached: prove it or refute it."""
        result = self.level.prove()
        if result.verdict == "proved":
            self.proved = True
            return Answer(f"Right, and proved: {result.coverage}, and none reaches the goal.")
        if result.minimal is None:
            return Answer(f"Undecided: {result}")
        return Answer("Not so. There is a schedule that reaches the goal; look again before you look at it.",
                      result.minimal)  # fmt: skip

    def _proof(self) -> str:
        """What a search of everything says."""
        result = self.level.prove()
        if result.verdict == "proved":
            return f"Nobody can: proved, {result.coverage}."
        return f"That is not a proof: {result}"


def _span(seconds: float) -> str:
    """A time in words: milliseconds below a second."""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.0f} s"
