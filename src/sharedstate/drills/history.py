"""The timed mode: the drill that is running, and the tries so far, in my-labs/drills.json.

The file is written as progress.json is: under a lock, whole or not at all, and a damaged one is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from sharedstate.drills.deck import HINT_COSTS, Drill
from sharedstate.progress import Progress, Record, Sections, number, stamp


class DrillError(RuntimeError):
    """What was asked for does not fit: no drill runs, or another one does. The text says what to do."""


@dataclass(frozen=True)
class Running:
    """The drill under way: when it began and was stopped (seconds since 1970; None while the clock runs), its hints."""

    drill: str
    began: float
    ended: float | None
    hints: int

    def seconds(self, now: float) -> float:
        """Return the seconds from the start to the stop, or until now; a clock that was set back gives 0."""
        return max(0.0, (now if self.ended is None else self.ended) - self.began)


@dataclass(frozen=True)
class Try:
    """A drill that was done: seconds it took, hints, the rubric's rows that it earned, and the score."""

    drill: str
    when: str
    seconds: float
    hints: int
    earned: tuple[int, ...]
    score: int
    late: bool


def score_of(drill: Drill, earned: Sequence[int], hints: int) -> int:
    """Return the points of the rows less the price of the hints, never below 0; ValueError as `Drill.points`."""
    return max(0, drill.points(earned) - HINT_COSTS * hints)


def _running(found: object) -> bool:
    return (type(found) is dict and set(found) == {"began", "ended", "hints"} and number(found["began"])
            and type(found["hints"]) is int and (found["ended"] is None or number(found["ended"])))


def _try(found: object) -> bool:
    """True for the fields of a Try, each of its type."""
    kinds = {"drill": str, "when": str, "hints": int, "earned": list, "score": int, "late": bool}
    return (type(found) is dict and set(found) == {*kinds, "seconds"} and number(found["seconds"])
            and all(type(found[name]) is kind for name, kind in kinds.items())
            and all(type(row) is int for row in found["earned"]))


class DrillBook(Record):
    """The file in memory, and its only writer. Every method takes the time as `now`, in seconds."""

    file: ClassVar[str] = "drills.json"
    sections: ClassVar[Sections] = MappingProxyType({"running": _running, "tries": _try})

    @property
    def running(self) -> Running | None:
        """The drill under way, None without one."""
        return next((Running(name, **one) for name, one in self.data["running"].items()), None)

    @property
    def tries(self) -> tuple[Try, ...]:
        """All tries, the oldest first."""
        kept = sorted(self.data["tries"].items(), key=lambda item: int(item[0]))
        return tuple(Try(**{**one, "earned": tuple(one["earned"])}) for _, one in kept)

    def best(self, drill_id: str) -> Try | None:
        """Return the try with the highest score, the earliest of equals; None without one."""
        mine = [one for one in self.tries if one.drill == drill_id]
        return max(mine, key=lambda one: one.score, default=None)

    def start(self, drill: Drill, now: float) -> None:
        """Start the clock of a drill. Raises DrillError when one is running."""
        def change(data: dict) -> None:
            for other in data["running"]:
                raise DrillError(f"{other} is not done yet. End it first: `python run.py drill stop`, then `drill "
                                 "score`, or `drill drop`.")
            data["running"][drill.id] = {"began": now, "ended": None, "hints": 0}
        self._update(change)

    def hint(self, drill: Drill) -> str:
        """Return the next hint, and count it. Raises DrillError when the clock does not run, or no hint is left."""
        told = list[str]()

        def change(data: dict) -> None:
            one = _of(data, drill)
            if one["ended"] is not None:
                raise DrillError(f"{drill.id} is stopped: a hint comes too late.")
            if one["hints"] >= len(drill.hints):
                raise DrillError(f"{drill.id} has no more hints.")
            told.append(drill.hints[one["hints"]])
            one["hints"] += 1
        self._update(change)
        return told[0]

    def stop(self, drill: Drill, now: float) -> None:
        """Stop the clock; once is enough. Raises DrillError when the drill does not run."""
        def change(data: dict) -> None:
            one = _of(data, drill)
            if one["ended"] is None:
                one["ended"] = now
        self._update(change)

    def score(self, drill: Drill, earned: Sequence[int], now: float) -> Try:
        """Keep the try with its score. Raises DrillError when the clock was not stopped, or for the check's own row
        without an answer that the lab's check has accepted; ValueError for rows that the rubric does not have. Then
        nothing changes.
        """
        checked = Progress.load(self.path.with_name(Progress.file)).solved(drill.exercise) if drill.exercise else True
        if 1 in earned and not checked:
            raise DrillError(f"Row 1 is the check's, and no answer to {drill.exercise} in your lab 12 has passed it "
                             "yet: `python run.py start 12`. Leave row 1 out, or solve it first.")
        kept = list[Try]()

        def change(data: dict) -> None:
            one = _of(data, drill)
            if one["ended"] is None:
                raise DrillError(f"The clock of {drill.id} still runs: `python run.py drill stop`.")
            seconds = Running(drill.id, **one).seconds(now)
            made = Try(drill.id, stamp(now), round(seconds, 1), one["hints"], tuple(sorted(earned)),
                       score_of(drill, earned, one["hints"]), seconds > 60 * drill.minutes)
            del data["running"][drill.id]
            last = max(map(int, data["tries"]), default=0)
            data["tries"][str(last + 1)] = {**vars(made), "earned": list(made.earned)}
            kept.append(made)
        self._update(change)
        return kept[0]

    def drop(self, drill: Drill) -> None:
        """Forget the drill that runs, without a score. Raises DrillError when the drill does not run."""
        def change(data: dict) -> None:
            _of(data, drill)
            del data["running"][drill.id]
        self._update(change)


def _of(data: dict[str, Any], drill: Drill) -> dict[str, Any]:
    if drill.id not in data["running"]:
        others = ", ".join(data["running"]) or "no drill"
        raise DrillError(f"{drill.id} is not running ({others} is): `python run.py drill start {drill.id}`.")
    return data["running"][drill.id]
