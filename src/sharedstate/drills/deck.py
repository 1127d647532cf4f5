"""The deck: a drill is a file of data, course/12_interview/drills/D01.toml.

A drill that asks for code names an exercise of lab 12. Then its title, minutes, question, hints and model answer in
code are the lab's own, and are never typed again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sharedstate import paths
from sharedstate.checks.bank import solution_source
from sharedstate.checks.registry import Registry
from sharedstate.drills.asked import asked
from sharedstate.game import level

UNIT = "12_interview"
POINTS = 10
HINT_COSTS = 1
LEVELS = ("read and name", "schedule and fix", "design")
KINDS = ("read", "code", "design", "aloud")
GRADES = ("full", "half", "zero")


@dataclass(frozen=True)
class Row:
    """One line of a rubric: what is wanted, and its points."""

    points: int
    wanted: str


@dataclass(frozen=True)
class Example:
    """An answer as somebody might give it, and the numbers (from 1) of the rubric's rows that it earns."""

    text: str
    earns: tuple[int, ...]


@dataclass(frozen=True)
class Drill:
    """One question of an interview, with what the interviewer needs.

    level: 1 to 3, see LEVELS; kind: one of KINDS; minutes: the time limit; units: where the course teaches it; say:
    what a code drill asks for aloud; follow_ups: (question, what a good answer says); examples: answers by grade, {}
    for a code drill, whose exercise has a bank; exercise and game: "" without; solution: the model answer's code.
    """

    id: str
    title: str
    level: int
    kind: str
    minutes: int
    units: tuple[str, ...]
    question: str
    code: str
    say: str
    hints: tuple[str, ...]
    answer: str
    solution: str
    trap: str
    follow_ups: tuple[tuple[str, str], ...]
    rubric: tuple[Row, ...]
    examples: Mapping[str, Example]
    exercise: str
    game: str

    def points(self, earned: Sequence[int]) -> int:
        """Return the points of these rows (numbers from 1, each once); ValueError for a row that there is not."""
        wrong = [number for number in earned if not 0 < number <= len(self.rubric)]
        if wrong or len(set(earned)) != len(earned):
            rows = f"1 to {len(self.rubric)}"
            raise ValueError(f"{self.id} has rows {rows} in its rubric, each counted once; you gave {list(earned)}.")
        return sum(self.rubric[number - 1].points for number in earned)


def deck(course: Path | None = None) -> tuple[Drill, ...]:
    """Return every drill, in order. Raises ValueError, which names the file, for one that cannot be read."""
    course = course or paths.course()
    return tuple(_read(path, course) for path in sorted((course / UNIT / "drills").glob("D*.toml")))


def drill(name: str, course: Path | None = None) -> Drill:
    """Return one drill by its id ("D07", "d7", "7"); ValueError lists the ids there are."""
    folder = (course or paths.course()) / UNIT / "drills"
    digits = name.strip().upper().removeprefix("D")
    path = folder / f"D{digits.zfill(2)}.toml"
    if not digits.isdigit() or not path.is_file():
        known = ", ".join(one.stem for one in sorted(folder.glob("D*.toml")))
        raise ValueError(f"There is no drill {name!r}. Drills: {known}.")
    return _read(path, course or paths.course())


def _read(path: Path, course: Path) -> Drill:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return _made(path.stem, data, course)
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as problem:
        raise ValueError(f"{path.name} is no drill: {type(problem).__name__}: {problem}") from problem


def _made(name: str, data: dict[str, Any], course: Path) -> Drill:
    own = {key: data.pop(key) for key in ("level", "kind", "answer", "trap")}
    exercise, game = data.pop("exercise", ""), data.pop("game", "")
    rubric = tuple(Row(**row) for row in data.pop("rubric"))
    follow_ups = tuple((question, good) for question, good in data.pop("follow_ups"))
    told = {grade: Example(one["text"], tuple(one["earns"])) for grade, one in data.pop("examples", {}).items()}
    units, say = tuple(data.pop("units")), data.pop("say", "")
    if exercise:
        text = _from_lab(exercise, course)
    else:
        text = {"solution": "", "hints": tuple(data.pop("hints")), "code": data.pop("code", "").strip("\n")}
        text |= {key: data.pop(key) for key in ("title", "minutes", "question")}
    if game:
        text["code"] = level(game).code().strip("\n")
    if data:
        raise KeyError(f"unknown: {', '.join(data)}")
    text["question"] = text["question"].strip()
    return Drill(id=name, **own, **text, say=say, units=units, follow_ups=follow_ups, rubric=rubric, examples=told,
                 exercise=exercise, game=game)


def _from_lab(exercise_id: str, course: Path) -> dict[str, Any]:
    """Return what a code drill takes from lab 12."""
    room = Registry(course).room(exercise_id)
    exercise, lab = room.load(), asked(room.unit_folder / "lab.py", exercise_id)
    return {"title": exercise.title, "minutes": exercise.minutes, "question": lab.text, "code": lab.code,
            "hints": lab.hints, "solution": solution_source(room.unit_folder, exercise).strip("\n")}
