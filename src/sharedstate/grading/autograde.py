"""`nbgrader autograde` with this course's judge: nbgrader keeps the books, and no learner's code runs in its kernel.

`configure` puts two steps of ours among nbgrader's own. The first gives a submission back the marks that its learner may
have changed. The second stands where nbgrader would execute the notebook: the notebook is judged as by `grade`, and each
graded cell gets its verdict and a number of points as if it had been executed. (Needs nbgrader.)
"""

from __future__ import annotations

import json
from typing import Any

import nbformat
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from nbgrader.utils import is_grade

from sharedstate.checks.assess import fresh_seed
from sharedstate.checks.extract import cells_of
from sharedstate.checks.lab import CheckView
from sharedstate.checks.registry import Registry, unit_number
from sharedstate.checks.types import Verdict, credit
from sharedstate.grading.gradebook import grade_id
from sharedstate.grading.submissions import Submission
from sharedstate.grading.work import FAILED, Job, Row, grade_here

# downloaded/<unit>/extracted/: ann/lab_01_….ipynb (as from ann.zip), or ann_lab_01_….ipynb
COLLECTED = r".*[/\\]extracted[/\\](?P<student_id>[^/\\]+?)(?:[/\\].*)?[/\\_](?P<file_id>lab_[^/\\]+\.ipynb)$"


def configure(config: Any) -> None:
    """Set what nbgrader needs for this course, on its traitlets Config."""
    steps = Autograde(config=None)
    config.FileNameCollectorPlugin.named_regexp = COLLECTED
    config.Autograde.sanitize_preprocessors = [Restore, *steps.sanitize_preprocessors]
    config.Autograde.autograde_preprocessors = [
        Judge if one is Execute else one for one in steps.autograde_preprocessors]


class Restore(NbGraderPreprocessor):
    """Give the cells of a submission nbgrader's marks as they were released, whatever the learner's file says.

    A mark that is forged, copied or of another version is taken away (one of those would end the run for the whole
    class); a graded cell that is missing is added at the end.
    """

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Restore the marks of a notebook."""
        told = resources["nbgrader"]
        with Gradebook(told["db_url"]) as book:
            released = book.find_notebook(told["notebook"], told["assignment"])
            points = {cell.name: cell.max_score for cell in released.grade_cells}
            solutions = {cell.name for cell in released.solution_cells}
            left = {cell.name: (cell.cell_type, cell.source, {
                "schema_version": 3, "grade_id": cell.name, "grade": cell.name in points, "locked": cell.locked,
                "solution": cell.name in solutions, "checksum": cell.checksum, "cell_type": cell.cell_type,
                **({"points": points[cell.name]} if cell.name in points else {})}) for cell in released.source_cells}
        for cell in nb.cells:
            mark = cell.metadata.pop("nbgrader", None)
            name = mark.get("grade_id") if isinstance(mark, dict) else None
            if isinstance(name, str) and name in left and left[name][0] == cell.cell_type:
                cell.metadata["nbgrader"] = nbformat.from_dict(left.pop(name)[2])
        for name in points:
            if name in left:
                _, source, mark = left[name]
                nb.cells.append(nbformat.v4.new_code_cell(source, metadata={"nbgrader": mark}))
        return nb, resources


class Judge(NbGraderPreprocessor):
    """Judge a submission in a box of its own; write the verdicts into its graded cells, where nbgrader reads them."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Judge a notebook; RuntimeError where the judge itself failed."""
        told = resources["nbgrader"]
        cells = cells_of(json.loads(json.dumps(nb.cells)))
        one = Submission(told["student"], told["notebook"], unit_number(told["notebook"]), tuple(cells))
        row = grade_here(Job(one, fresh_seed()))
        if row["reason"] == FAILED:
            raise RuntimeError(row["message"])
        said = f"{told['student']}: {row['points']:g} of {row['max_points']:g} points, seed {row['seed']}"
        self.log.info("%s. Isolation: %s", said, row["box"])
        verdicts = {grade_id(each["id"]): each for each in row["exercises"]}
        for cell in nb.cells:
            if is_grade(cell):
                cell.outputs, cell.execution_count = outputs(verdicts[cell.metadata.nbgrader["grade_id"]]), None
        return nb, resources


def outputs(each: Row) -> list[Any]:
    """Return a verdict as a cell shows it, and its points as nbgrader reads them."""
    verdict = Verdict(each["ok"], each["points"], each["message"], each["reason"], each["schedule"])
    view = CheckView(Registry().exercise(each["id"]), verdict)
    shown = {"text/plain": str(view), "text/html": view._repr_html_()}
    points = repr(credit(each["points"], each["max_points"]))
    return [nbformat.v4.new_output("display_data", shown),
            nbformat.v4.new_output("execute_result", {"text/plain": points}, execution_count=None)]
