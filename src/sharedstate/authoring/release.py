"""nbgrader's course folder: each lab solved, with nbgrader's marks, from which nbgrader releases, collects and grades.

The source is the unit's lab.py, as for labs/ and solutions/. What nbgrader wants beyond it, is added here alone: the answer
cell is a solution, the cell that calls the check is graded, and its hidden test is that call once more, for its points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sharedstate import paths
from sharedstate.authoring.documents import Document
from sharedstate.authoring.source import STUB, AuthoringError, finish, text_of
from sharedstate.checks.registry import Registry
from sharedstate.checks.types import Exercise
from sharedstate.files import write_atomic
from sharedstate.grading.gradebook import grade_id, names

CONFIG = "nbgrader_config.py"
SETTINGS = f'''"""nbgrader's settings for these labs; add your own below."""

from sharedstate.grading.autograde import configure

c = get_config()
c.ClearSolutions.code_stub = {{"python": "{STUB}"}}
configure(c)
'''
HIDDEN = """
### BEGIN HIDDEN TESTS
from sharedstate.checks import earned

earned("{id}")
### END HIDDEN TESTS"""
SOLUTION = "### BEGIN SOLUTION"


def release(folder: Path, units: Iterable[str] = ()) -> list[Path]:
    """Write source/<unit>/lab_<unit>.ipynb for the units (none named: all with a lab), and settings where there are none.

    Returns what was written. Raises ValueError for a unit that is unknown or has no lab, AuthoringError for a source
    that nbgrader could not use.
    """
    chosen = [paths.resolve_unit(unit) for unit in units] or [
        name for name, home in paths.units().items() if (home / "lab.py").is_file()]
    written = []
    for unit in chosen:
        name, notebook = names(unit)
        target = folder / "source" / name / f"{notebook}.ipynb"
        write_atomic(target, text_of(source_notebook(unit)))
        written.append(target)
    settings = folder / CONFIG
    if not settings.exists():
        write_atomic(settings, SETTINGS)
        written.append(settings)
    return written


def source_notebook(unit: str) -> Any:
    """Return a unit's solved lab as nbgrader's source (a NotebookNode), valid by nbgrader's own rules.

    Raises ValueError for a unit without a lab, AuthoringError where an exercise has not one answer and one check.
    """
    import jupytext
    from nbgrader.nbgraderformat import MetadataValidator, ValidationError

    source = paths.units()[unit] / "lab.py"
    if not source.is_file():
        raise ValueError(f"Unit {unit} has no lab.")
    book = jupytext.read(source, fmt="py:percent")
    for exercise in Registry().exercises(unit):
        _mark(book.cells, exercise, source)
    book = finish(book, Document(unit, "", "solution", source, source))
    try:
        MetadataValidator().validate_nb(book)
    except ValidationError as problem:
        raise AuthoringError(f"{unit}/lab.py is no source for nbgrader: {problem}") from None
    return book


def _mark(cells: list[Any], exercise: Exercise, source: Path) -> None:
    """Mark the cells of one exercise: where the answer stands, and where it is graded."""
    code = [cell for cell in cells if cell.cell_type == "code"]
    answers = [cell for cell in code if f"exercise:{exercise.id}" in cell.metadata.get("tags", ())]
    call = re.compile(rf"^check\(\"{re.escape(exercise.id)}\"[^\n]*\)\s*\Z", re.MULTILINE)
    checks = [cell for cell in code if call.search(cell.source)]
    if len(answers) != 1 or len(checks) != 1 or SOLUTION not in answers[0].source:
        said = f"{source.parent.name}/lab.py: exercise {exercise.id} needs one answer cell with a solution in it, and one"
        raise AuthoringError(f"{said} cell that ends with check(\"{exercise.id}\").")
    mark(answers[0], f"answer-{grade_id(exercise.id)}", solution=True)
    mark(checks[0], grade_id(exercise.id), points=exercise.points)
    checks[0].source += HIDDEN.format(id=exercise.id)


def mark(cell: Any, name: str, solution: bool = False, points: float | None = None) -> None:
    """Give a cell nbgrader's metadata: a solution, or (with points) a cell that is graded and that nobody may change."""
    graded = {} if points is None else {"points": float(points)}
    cell.metadata["nbgrader"] = {
        "schema_version": 3, "grade_id": name, "grade": bool(graded), "locked": bool(graded), "solution": solution,
        **graded}
