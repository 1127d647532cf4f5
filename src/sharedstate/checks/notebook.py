"""Check a whole notebook, every exercise judged in a process that never ran the learner's code."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from .assess import fresh_seed
from .extract import read_cells, unit_of
from .grader import Grader, Limits
from .registry import Registry
from .types import Exercise, Verdict

MESSAGE_LIMIT, SLUG_LIMIT, SCHEDULE_LIMIT = 3000, 50, 20_000  # characters
FOOLABLE = "Judged in the notebook's own process, which a notebook can fool; --isolated cannot be fooled so."


@dataclass(frozen=True)
class ExerciseReport:
    """What one exercise earned."""

    id: str
    title: str
    ok: bool
    points: float
    max_points: float
    message: str
    reason: str
    schedule: str | None = None


@dataclass(frozen=True)
class NotebookReport:
    """What a notebook earned, exercise by exercise. `ok`: all of them are right."""

    path: str
    unit: str
    isolated: bool
    seconds: float
    exercises: tuple[ExerciseReport, ...]
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """True when there is an exercise and all are right."""
        return bool(self.exercises) and all(e.ok for e in self.exercises)

    @property
    def points(self) -> float:
        """Points reached."""
        return sum(e.points for e in self.exercises)

    @property
    def max_points(self) -> float:
        """Points there are."""
        return sum(e.max_points for e in self.exercises)

    def to_json(self) -> dict[str, object]:
        """Return the report as a plain dict."""
        return {**asdict(self), "ok": self.ok, "points": self.points, "max_points": self.max_points}

    def __str__(self) -> str:
        lines = [f"{Path(self.path).name}: {self.points:g} of {self.max_points:g} points"]
        for e in self.exercises:
            word = "ok     " if e.ok else "not yet"
            earned = f"{e.points:g}/{e.max_points:g}"
            lines.append(f"  {e.id}  {word}  {earned}  {e.title}: {e.message} [{e.reason}]")
            lines += [f"        {line}".rstrip() for line in (e.schedule or "").splitlines()]
        if not self.exercises:
            lines = [f"{Path(self.path).name}: no exercises here. Labs have them: `python run.py start 01` copies one."]
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])


def check_notebook(
    path: Path | str,
    isolated: bool = False,
    seed: int | None = None,
    limits: Limits | None = None,
    registry: Registry | None = None,
    extra_path: tuple[str, ...] = (),
) -> NotebookReport:
    """Execute a notebook's code cells in a child process and judge every exercise of its unit.

    isolated: the child only turns cases into values, and this process judges; cases come from a seed drawn
    now (unless one is given). Otherwise the child judges as well, as the lab's own cells do.
    Raises NotebookUnreadable for a file that cannot be checked. Any misdeed of the notebook's code costs
    points and gets a reason; it never raises here.
    """
    path = Path(path)
    cells = read_cells(path)
    with closing(Grader(cells, registry or Registry(), limits or Limits(), extra_path)) as grader:
        return report_of(grader, str(path), unit_of(path, cells), isolated, fresh_seed() if seed is None else seed)


def report_of(grader: Grader, path: str, unit: str, isolated: bool, seed: int) -> NotebookReport:
    """Judge every exercise of a unit with a grader that holds the notebook's cells."""
    begin = time.monotonic()
    asked = grader.registry.exercises(unit)
    rows = tuple(_row(exercise, grader.verdict(exercise, seed, isolated)) for exercise in asked)
    notes = tuple(grader.notes) + (() if isolated else (FOOLABLE,))
    return NotebookReport(path, unit, isolated, time.monotonic() - begin, rows, notes)


def _row(exercise: Exercise, verdict: Verdict) -> ExerciseReport:
    """Return what a report keeps of a verdict: of texts that may hold what a child said, the beginning."""
    message, reason, schedule = (one[:most] if type(one) is str else None for one, most in (
        (verdict.message, MESSAGE_LIMIT), (verdict.reason, SLUG_LIMIT), (verdict.schedule, SCHEDULE_LIMIT)))
    return ExerciseReport(exercise.id, exercise.title, verdict.ok, verdict.points, exercise.points,
                          message or "", reason or "unusable", schedule)
