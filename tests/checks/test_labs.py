"""The labs of the course on the grader's path: solved, untouched, and with the check patched inside."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from sharedstate import paths
from sharedstate.checks import Registry
from sharedstate.checks.bank import Cell, code_cells, wrong_answers
from sharedstate.checks.notebook import check_notebook

LABS = [name for name, folder in paths.units().items() if (folder / "lab.py").exists()]
BLOCK = re.compile(r"^ *### BEGIN SOLUTION.*?### END SOLUTION\n", re.MULTILINE | re.DOTALL)
PATCH = """
import sharedstate.checks as c, sharedstate.checks.types as t
c.check = print
for e in [*c.exercises("UNIT")]: type(e).judge = lambda self, case, value: self.right()
"""
each_lab = pytest.mark.parametrize("unit", LABS)


def write(folder: Path, unit: str, cells: list[Cell]) -> Path:
    """Write a lab's cells as a notebook."""
    data = [{"cell_type": "code", "source": c.source, "metadata": {"tags": list(c.tags)}} for c in cells]
    path = folder / f"{unit}.ipynb"
    path.write_text(json.dumps({"cells": data}), encoding="utf-8")
    return path


def untouched(tmp_path: Path, unit: str) -> list[Cell]:
    """Return the lab's cells with every solution cut out."""
    text = BLOCK.sub("", (paths.units()[unit] / "lab.py").read_text(encoding="utf-8"))
    bare = tmp_path / "bare.py"
    bare.write_text(text, encoding="utf-8")
    return code_cells(bare)


@each_lab
def test_the_solution_earns_every_point(tmp_path: Path, unit: str) -> None:
    report = check_notebook(write(tmp_path, unit, code_cells(paths.units()[unit] / "lab.py")), isolated=True)
    assert report.ok and report.points == sum(e.points for e in Registry().exercises(unit)), str(report)


@each_lab
def test_an_untouched_lab_earns_nothing(tmp_path: Path, unit: str) -> None:
    report = check_notebook(write(tmp_path, unit, untouched(tmp_path, unit)), isolated=True)
    assert report.points == 0 and not any(e.ok for e in report.exercises), str(report)
    assert report.exercises[0].reason == "untouched"


@each_lab
def test_patching_the_check_changes_nothing_outside(tmp_path: Path, unit: str) -> None:
    wrong = [Cell(wrong_answers(room.folder)[0].source, ()) for room in Registry().rooms(unit)]
    patch = Cell(PATCH.replace("UNIT", unit[:2]), ())
    path = write(tmp_path, unit, [*code_cells(paths.units()[unit] / "lab.py")[:1], patch, *wrong])
    assert all(e.ok for e in check_notebook(path).exercises), "the trick must work inside"
    report = check_notebook(path, isolated=True)
    assert not any(e.ok for e in report.exercises), str(report)
