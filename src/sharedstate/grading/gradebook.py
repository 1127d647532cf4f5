"""Scores into nbgrader's gradebook, from where nbgrader exports them and a person can add a comment or a point."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sharedstate import paths
from sharedstate.checks.registry import Registry
from sharedstate.grading.work import FAILED, Row

if TYPE_CHECKING:
    from nbgrader.api import Gradebook


def write_scores(rows: Sequence[Row], file: Path) -> int:
    """Write the points of every learner into a gradebook (an SQLite file, made where there is none).

    An assignment is a unit, with a cell for each exercise. Of several notebooks of one learner for one unit the best
    counts. Rows of no unit, and those that could not be graded, are left out. A score that a person has set stays above
    these. Returns how many learners' units were written. Needs nbgrader.
    """
    from nbgrader.api import Gradebook

    best: dict[tuple[str, str], Row] = {}
    for row in rows:
        known = best.get((row["unit"], row["learner"]))
        if row["unit"] and row["reason"] != FAILED and (known is None or row["points"] > known["points"]):
            best[row["unit"], row["learner"]] = row
    with programs_found(), Gradebook(f"sqlite:///{file.resolve()}") as book:
        for unit in sorted({unit for unit, _ in best}):
            _assignment(book, unit)
        for (unit, learner), row in best.items():
            _submission(book, unit, learner, row)
    return len(best)


@contextmanager
def programs_found() -> Iterator[None]:
    """Let nbgrader find the program alembic beside this Python, also where its environment is not activated."""
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), before))
    try:
        yield
    finally:
        os.environ["PATH"] = before


def grade_id(exercise_id: str) -> str:
    """Return the name of an exercise's graded cell: "01-4" (nbgrader takes no full stop)."""
    return exercise_id.replace(".", "-")


def names(unit: str) -> tuple[str, str]:
    """Return the names of a unit's assignment and of its notebook."""
    name = paths.resolve_unit(unit)
    return name, Path(paths.notebook_name(name, "lab")).stem


def _assignment(book: Gradebook, unit: str) -> None:
    name, notebook = names(unit)
    book.update_or_create_assignment(name)
    book.update_or_create_notebook(notebook, name)
    for one in Registry().exercises(unit):
        book.update_or_create_grade_cell(grade_id(one.id), notebook, name, max_score=one.points, cell_type="code")


def _submission(book: Gradebook, unit: str, learner: str, row: Row) -> None:
    """Set the scores of one learner; a submission that is older than a cell has no grade of it yet."""
    from nbgrader.api import Grade, MissingEntry

    name, notebook = names(unit)
    book.update_or_create_student(learner)
    book.update_or_create_submission(name, learner)
    earned = {each["id"]: float(each["points"]) for each in row["exercises"]}
    for one in Registry().exercises(unit):
        try:
            grade = book.find_grade(grade_id(one.id), notebook, name, learner)
        except MissingEntry:
            own = book.find_submission_notebook(notebook, name, learner)
            grade = Grade(cell_id=book.find_grade_cell(grade_id(one.id), notebook, name).id, notebook=own)
            book.db.add(grade)
        grade.auto_score = earned.get(one.id, 0.0)
        grade.needs_manual_grade = False
    book.db.commit()
