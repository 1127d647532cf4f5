"""Where a class stands, from its records and a moment: pure, so that a test says what time it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sharedstate.checks.registry import Registry
from sharedstate.classroom.questions import Question
from sharedstate.classroom.records import Record
from sharedstate.progress import PAUSE

STUCK = 600.0  # seconds at an exercise, with a wrong answer, after which a learner counts as stuck
# What a learner does, the most urgent first.
STATES = MappingProxyType({
    "stuck": "stuck", "working": "at work", "quiet": "quiet", "lesson": "in the lesson", "finished": "lab solved",
    "new": "not begun",
})


@dataclass(frozen=True)
class Learner:
    """One learner: the unit and exercise, the state (a key of STATES), and for how long.

    at: the exercise's id, "" in a lesson and when the lab is solved; seconds: spent at it, pauses left out; quiet:
    seconds since the last activity; wrong: wrong answers to it; solved, exercises: of the unit.
    """

    name: str
    state: str
    unit: str = ""
    at: str = ""
    seconds: float = 0.0
    quiet: float = 0.0
    wrong: int = 0
    solved: int = 0
    exercises: int = 0


@dataclass(frozen=True)
class Wrong:
    """A wrong answer that was given: to which exercise, for which reason, how often, by how many learners."""

    exercise: str
    reason: str
    answers: int
    learners: int


@dataclass(frozen=True)
class Histogram:
    """What the class predicted for one question: {choice: learners}, every choice of the question among them."""

    question: Question
    counts: Mapping[str, int]

    @property
    def learners(self) -> int:
        """How many have predicted."""
        return sum(self.counts.values())


@dataclass(frozen=True)
class Board:
    """Everything that the board shows, in its order. exercises: {id: name} of those where somebody is."""

    now: float
    learners: tuple[Learner, ...]
    troubles: tuple[Record, ...]
    wrong: tuple[Wrong, ...]
    histograms: tuple[Histogram, ...]
    exercises: Mapping[str, str]

    def at(self, exercise: str) -> int:
        """Return how many learners are at an exercise."""
        return sum(one.at == exercise for one in self.learners)

    def count(self, state: str) -> int:
        """Return how many learners are in a state."""
        return sum(one.state == state for one in self.learners)


def exercise_names(registry: Registry | None = None) -> dict[str, str]:
    """Return {id: name} of every exercise in the course, in order; no exercise is loaded for it."""
    known = registry or Registry()
    rooms = [room for unit in known.units() for room in known.rooms(unit)]
    return {room.id: room.folder.name.partition("_")[2].replace("_", " ") for room in rooms}


def board(
    records: Iterable[Record], now: float, names: Mapping[str, str], asked: Mapping[str, Question], stuck: float = STUCK
) -> Board:
    """Return the board of these records at a moment (seconds since 1970).

    names: {exercise: its name}, in order; asked: {id: question}; stuck: seconds after which somebody counts as stuck.
    """
    every = list(records)
    good = [record for record in every if record.data is not None]
    learners = [learner(record.learner, record.data or {}, now, names, stuck) for record in good]
    order = list(STATES)
    learners.sort(key=lambda one: (order.index(one.state), -one.seconds, -one.quiet, one.unit, one.name))
    data = [record.data or {} for record in good]
    here = {name: title for name, title in names.items() if any(one.at == name for one in learners)}
    return Board(now, tuple(learners), tuple(record for record in every if record.data is None),
                 tuple(wrong_answers(data, list(names))), tuple(histograms(data, asked)), here)


def learner(name: str, data: Mapping[str, Any], now: float, names: Mapping[str, str], stuck: float = STUCK) -> Learner:
    """Return where one learner is: in the unit of the last activity, at the exercise answered last or the next one."""
    if not data["activity"]:
        return Learner(name, "new")
    unit = max(data["activity"], key=data["activity"].__getitem__)
    quiet = max(0.0, now - data["activity"][unit])
    own = [key for key in names if key.split(".")[0] == unit]
    tried = {key: data["exercises"][key] for key in own if "last" in data["exercises"].get(key, ())}
    solved = sum(bool(data["exercises"].get(key, {}).get("solved")) for key in own)
    if not tried:
        return Learner(name, "quiet" if quiet > PAUSE else "lesson", unit, "", 0.0, quiet, 0, solved, len(own))
    at = _at(own, tried, data["exercises"])
    entry = data["exercises"].get(at, {})
    seconds = entry.get("seconds", 0.0) + (quiet if quiet <= PAUSE else 0.0) if at else 0.0
    wrong = sum(entry.get("wrong", {}).values())
    state = "finished" if not at else "quiet" if quiet > PAUSE else "stuck" if wrong and seconds >= stuck else "working"
    return Learner(name, state, unit, at, seconds, quiet, wrong, solved, len(own))


def _at(own: Sequence[str], tried: Mapping[str, Any], entries: Mapping[str, Any]) -> str:
    """Return the exercise answered last, or if that is solved the next open one, the first one after the last."""
    latest = max(tried, key=lambda key: (tried[key]["last"], own.index(key)))
    place = own.index(latest)
    return next((key for key in [*own[place:], *own[:place]] if not entries.get(key, {}).get("solved")), "")


def wrong_answers(data: Iterable[Mapping[str, Any]], order: Sequence[str]) -> list[Wrong]:
    """Return the wrong answers of a class to the exercises of `order`, those of most learners first."""
    answers: Counter[tuple[str, str]] = Counter()
    learners: Counter[tuple[str, str]] = Counter()
    place = {exercise: number for number, exercise in enumerate(order)}
    for one in data:
        for exercise in place.keys() & one["exercises"].keys():
            for reason, number in one["exercises"][exercise].get("wrong", {}).items():
                answers[exercise, reason] += number
                learners[exercise, reason] += 1
    found = [Wrong(*key, answers[key], learners[key]) for key in answers]
    return sorted(found, key=lambda one: (-one.learners, -one.answers, place[one.exercise], one.reason))


def histograms(data: Iterable[Mapping[str, Any]], asked: Mapping[str, Question]) -> list[Histogram]:
    """Return what was predicted for each question of `asked` that somebody answered, in the same order."""
    counts: dict[str, Counter[str]] = {}
    for one in data:
        for name in asked.keys() & one["predictions"].keys():
            counts.setdefault(name, Counter())[one["predictions"][name]["choice"]] += 1
    found = []
    for name, question in asked.items():
        if name in counts:
            keys = [*question.choices, *sorted(set(counts[name]) - set(question.choices))]
            found.append(Histogram(question, {key: counts[name][key] for key in keys}))
    return found
