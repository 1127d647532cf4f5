"""Read a notebook as plain JSON and take out what is judged: its code cells. Nothing is executed here."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from pathlib import Path

from ..wording import listed
from .bank import Cell
from .registry import unit_number
from .slices import Slice, answer_slice, prepared
from .types import AnswerProblem, Exercise

MAX_BYTES = 50_000_000
TAG = re.compile(r"exercise:(?P<unit>\d\d)\.\d+")
CALL = re.compile(r"""\bcheck\(\s*["'](\d\d)\.\d+["']""")


class NotebookUnreadable(ValueError):
    """The file is no notebook that can be checked; the message says what to do."""


def read_cells(path: Path) -> list[Cell]:
    """Return the code cells of a notebook.

    Raises NotebookUnreadable for a file that is missing, over 50 MB, no JSON, nested too deeply, no notebook.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            said = f"{path.name} has {size:,} bytes; at most {MAX_BYTES:,}. Clear its outputs."
            raise NotebookUnreadable(said)
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise NotebookUnreadable(f"{path} cannot be read: {problem.strerror}.") from None
    except RecursionError:
        raise NotebookUnreadable(f"{path.name} is nested too deeply to be a notebook.") from None
    except NotebookUnreadable:
        raise
    except ValueError:
        raise NotebookUnreadable(f"{path.name} is not a notebook (no valid JSON): save it again.") from None
    if type(data) is not dict or type(data.get("cells")) is not list:
        raise NotebookUnreadable(f"{path.name} is not a notebook: it has no list of cells.")
    return cells_of(data["cells"])


def cells_of(cells: list) -> list[Cell]:
    """Return the code cells among cells that come from JSON; what is no cell is left out."""
    return [found for cell in cells if (found := _code_cell(cell))]


def _code_cell(cell: object) -> Cell | None:
    if type(cell) is not dict or cell.get("cell_type") != "code":
        return None
    source = cell.get("source", "")
    parts = source if type(source) is list else [source]
    metadata = cell.get("metadata")
    tags = metadata.get("tags") if type(metadata) is dict else ()
    names = tuple(t for t in tags if type(t) is str) if type(tags) is list else ()
    return Cell("".join(p for p in parts if type(p) is str), names)


def unit_of(path: Path, cells: list[Cell]) -> str:
    """Return the two digits of the unit: by exercise tags, by calls of check, or by the file's name."""
    tags = [tag for cell in cells for tag in cell.tags]
    tagged = [found["unit"] for tag in tags if (found := TAG.match(tag))]
    called = [unit for cell in cells for unit in CALL.findall(cell.source)]
    units = sorted({*tagged, *called})
    if len(units) > 1:
        said = f"{path.name} holds exercises of units {listed(units)}. Keep each unit in a notebook of its own."
        raise NotebookUnreadable(said)
    if units:
        return units[0]
    try:
        return unit_number(path.name)
    except ValueError:
        raise NotebookUnreadable(f"{path.name} is not a lab of this course: no cell calls check(…).") from None


def numbered(cells: Sequence[Cell]) -> list[tuple[int, str]]:
    """Return the code cells that hold something, each with the number that Run All gives it: [1], [2], …"""
    return [*enumerate((cell.source for cell in cells if cell.source.strip()), 1)]


def label(cells: Sequence[Cell], place: int) -> str:
    """Return "cell [3]" for a place in the list of cells."""
    return f"cell [{sum(bool(cell.source.strip()) for cell in cells[: place + 1])}]"


def defines(source: str, name: str) -> bool:
    """True for source that defines a name at its top."""
    return bool(answer_slice([(1, source)], name).text)


def answer_of(cells: Sequence[Cell], exercise: Exercise, setup: str = "") -> Slice:
    """Return what makes the answer of an exercise, out of all cells.

    Raises AnswerProblem: "missing" where no cell defines it, "syntax" where its own cell is not Python.
    """
    found = answer_slice(numbered(cells), exercise.answer, setup)
    if found.text:
        return found
    for place, cell in enumerate(cells):
        if f"exercise:{exercise.id}" in cell.tags or re.search(rf"\b{exercise.answer}\b", cell.source):
            try:
                ast.parse(prepared(cell.source))
            except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
                at = getattr(problem, "lineno", None)
                where = f"{label(cells, place)}{f', line {at}' if at else ''}".capitalize()
                said = f"{where} is not valid Python: {getattr(problem, 'msg', problem)}."
                raise AnswerProblem("syntax", said) from None
    raise AnswerProblem("missing", f"No cell defines `{exercise.answer}`.")
