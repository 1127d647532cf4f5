"""The units with their titles and minutes, read from where the learner reads them: the sources of lesson and lab."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from . import paths

TITLE = re.compile(r"^# # \d\d · (.+)$", re.M)
LESSON = re.compile(r"^# \*(\d+) minutes", re.M)
EXERCISE = re.compile(r"^# ## (\d\d\.\d+) (.+)\n#\n# \*(\d+) minutes · difficulty (\d) of 3 · ([\d.]+) points?\*", re.M)


@dataclass(frozen=True)
class Task:
    """An exercise as its lab announces it; minutes, difficulty from 1 to 3."""

    id: str
    title: str
    minutes: int
    difficulty: int
    points: float


@dataclass(frozen=True)
class Unit:
    """A unit of the course; minutes: of its lesson, without the lab."""

    name: str
    title: str
    minutes: int
    exercises: tuple[Task, ...]

    @property
    def number(self) -> str:
        """Two digits."""
        return self.name[:2]

    @property
    def lab_minutes(self) -> int:
        """The minutes of all exercises."""
        return sum(task.minutes for task in self.exercises)


def units() -> tuple[Unit, ...]:
    """Return every unit present in course/, in order."""
    return tuple(read(folder) for folder in paths.units().values())


def read(folder: Path) -> Unit:
    """Return the unit of a folder of course/.

    Raises ValueError when its lesson doesn't begin with `# # NN · title` and `# *N minutes`.
    """
    lesson, lab = folder / "lesson.py", folder / "lab.py"
    text = lesson.read_text(encoding="utf-8")
    title, minutes = TITLE.search(text), LESSON.search(text)
    if not title or not minutes:
        raise ValueError(f"{lesson} does not begin with a title ('# # 01 · …') and its minutes ('# *45 minutes').")
    found = EXERCISE.findall(lab.read_text(encoding="utf-8")) if lab.is_file() else []
    tasks = tuple(Task(id, words, int(long), int(hard), float(points)) for id, words, long, hard, points in found)
    return Unit(folder.name, title[1], int(minutes[1]), tasks)
