"""Runs the tagged cells of a lesson as a module of their own, so that what is tested is what is taught."""

from __future__ import annotations

import linecache
import sys
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType

from sharedstate import paths
from sharedstate.percent import Cell, code_cells


class LessonError(ValueError):
    """The lesson has no such cell, or the cell cannot be executed; the text says which and what to do."""


@dataclass(frozen=True)
class Recipe:
    """The compiled cells of one fault (or its fix): `make` gives a fresh module's names at every call."""

    name: str
    file: str
    text: str
    code: CodeType

    def make(self) -> dict[str, object]:
        """Execute the cells in a fresh module and return its names; the source is known to `inspect`."""
        module = ModuleType(self.name)
        module.__file__ = self.file
        linecache.cache[self.file] = (len(self.text), None, self.text.splitlines(True), self.file)
        sys.modules[self.name] = module
        exec(self.code, module.__dict__)
        return module.__dict__


def load(unit: str, fault: str, fix: bool = False) -> Recipe:
    """Return the recipe for a fault's module: setup cells, the fault's, and with `fix` the fix's too.

    Cells run in the lesson's order. Raises LessonError when the lesson has no cell tagged for this fault.
    """
    path = paths.course() / unit / "lesson.py"
    if not path.is_file():
        raise LessonError(f"Fault {fault!r}: there is no lesson course/{unit}/lesson.py.")
    wanted = {f"fault:{fault}", *([f"fix:{fault}"] if fix else [])}
    cells = code_cells(path.read_text(encoding="utf-8"))
    if not any(f"fault:{fault}" in cell.tags for cell in cells):
        raise LessonError(f"Fault {fault!r}: no cell of course/{unit}/lesson.py is tagged fault:{fault}.")
    chosen = [cell for cell in cells if cell.tags & {"setup", *wanted}]
    return _recipe(unit, fault + (" fixed" if fix else ""), chosen, path)


def _recipe(unit: str, title: str, cells: list[Cell], path: Path) -> Recipe:
    """Compile the cells as one text; its pseudo file has the same name whenever the same lesson is loaded."""
    text = "\n\n".join(f"# cell {cell.number}\n{cell.source}" for cell in cells) + "\n"
    file = f"<lesson {unit}: {title}>"
    try:
        code = compile(text, file, "exec")
    except SyntaxError as error:
        line = (error.text or "").strip()
        raise LessonError(f"{path.name} of {unit}, cells of {title}: {error.msg}: {line!r}") from error
    return Recipe(f"lesson_{unit}_{title}".replace("-", "_").replace(" ", "_"), file, text, code)
