"""nbgrader's part of a class, for the tests: release a unit, hand in, autograde, read the gradebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from sharedstate.authoring.release import CONFIG, release
from sharedstate.grading.gradebook import names, programs_found

Change = Callable[[Any], None]


class Classroom:
    """A teacher's course folder with one unit or more in it. config: nbgrader's settings, those released unless given."""

    def __init__(self, folder: Path, *units: str) -> None:
        self.folder = folder
        release(folder, units)
        self.config = PyFileConfigLoader(CONFIG, str(folder)).load_config()

    def generate(self, unit: str) -> Path:
        """Let nbgrader make the learners' notebook; return it."""
        name, notebook = names(unit)
        with programs_found():
            done = self.api().generate_assignment(name)
        assert done["success"], f"{done.get('log')}\n{done.get('error')}"
        return self.folder / "release" / name / f"{notebook}.ipynb"

    def autograde(self, unit: str, learner: str) -> tuple[bool, str]:
        """Let nbgrader grade a learner's notebook; return whether it went through, and its log."""
        done = self.api().autograde(names(unit)[0], learner)
        return done["success"], "\n".join(str(done.get(part, "")) for part in ("log", "error"))

    def solved(self, unit: str) -> dict[str, str]:
        """Return the released solutions: nbgrader's name of each answer cell, and its source."""
        name, notebook = names(unit)
        book = nbformat.read(self.folder / "source" / name / f"{notebook}.ipynb", 4)
        return {cell.metadata.nbgrader.grade_id: cell.source for cell in book.cells if "nbgrader" in cell.metadata
                and cell.metadata.nbgrader.solution}

    def hand_in(self, unit: str, learner: str, change: Change) -> Path:
        """Hand in a released notebook after a change, where nbgrader collects it."""
        name, notebook = names(unit)
        book = nbformat.read(self.folder / "release" / name / f"{notebook}.ipynb", 4)
        change(book)
        target = self.folder / "submitted" / learner / name / f"{notebook}.ipynb"
        target.parent.mkdir(parents=True)
        nbformat.write(book, target)
        return target

    def answered(self, unit: str, answers: dict[str, str]) -> Change:
        """Return the change that writes these answers; those left out stay as they were released."""
        def change(book: Any) -> None:
            for cell in book.cells:
                name = cell.metadata.get("nbgrader", {}).get("grade_id")
                cell.source = answers.get(name, cell.source) if name else cell.source

        return change

    def points(self, unit: str, learner: str) -> dict[str, float | None]:
        """Return what the gradebook holds for a learner, by the name of the graded cell."""
        name, notebook = names(unit)
        with self.book() as book:
            try:
                return {grade.name: grade.auto_score for grade in book.find_submission_notebook(
                    notebook, name, learner).grades}
            except MissingEntry:
                return {}

    @contextmanager
    def book(self) -> Iterator[Gradebook]:
        """Open the gradebook."""
        with Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}") as found:
            yield found

    def api(self) -> NbGraderAPI:
        """Return nbgrader's own door, in this folder."""
        config = Config(self.config)
        config.CourseDirectory.root = str(self.folder)
        return NbGraderAPI(CourseDirectory(config=config), config=config)
