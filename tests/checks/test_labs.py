"""The labs of the course on the grader's path: solved, untouched, and with the check patched inside."""

from __future__ import annotations

import json
import re
import sys
import threading
from pathlib import Path
from types import FrameType, SimpleNamespace

import pytest

from sharedstate import paths
from sharedstate.checks import Registry
from sharedstate.checks.bank import Cell, code_cells, wrong_answers
from sharedstate.checks.child import Child
from sharedstate.checks.notebook import check_notebook
from sharedstate.checks.shim import Shim

LABS = [name for name, folder in paths.units().items() if (folder / "lab.py").exists()]
BLOCK = re.compile(r"^ *### BEGIN SOLUTION.*?### END SOLUTION\n", re.MULTILINE | re.DOTALL)
PATCH = """
import sharedstate.checks as c, sharedstate.checks.types as t
c.check = print
for e in [*c.exercises("UNIT")]: type(e).judge = lambda self, case, value: self.right()
"""
MOST_MOVES = 80
HOME = paths.root()
EXPLORER = str(HOME / "src" / "sharedstate" / "interleave")
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
    inside = [e for e in check_notebook(path).exercises if e.reason != "exception"]  # no judge is asked of these
    assert all(e.ok for e in inside) and len(inside) >= len(wrong) - 1, "the trick must work inside"
    report = check_notebook(path, isolated=True)
    assert not any(e.ok for e in report.exercises), str(report)


class Moves:
    """Counts, in every thread, how often control moves from a file of src/ or course/ to another one.

    The explorer counts as one place, with all that runs below a call of it.
    """

    def __init__(self) -> None:
        self.count, self.last = 0, threading.local()

    def look(self, frame: FrameType | None, event: str, arg: object) -> None:
        """Note where control is after a call or a return."""
        frame = frame.f_back if frame and event == "return" else frame
        if frame is None or event not in ("call", "return"):
            return
        place, above = frame.f_code.co_filename, frame
        if not place.startswith((str(HOME / "src"), str(HOME / "course"))):
            return
        while above is not None and not above.f_code.co_filename.startswith(EXPLORER):
            above = above.f_back
        place = place if above is None else EXPLORER
        self.count += place != getattr(self.last, "place", place)
        self.last.place = place

    def __enter__(self) -> Moves:
        threading.setprofile(self.look)
        sys.setprofile(self.look)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)


def test_an_answer_moves_little_between_files_on_its_way_to_the_verdict(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Trace the grader's process, then hand what it asked of the child to a child's part in this process."""
    asked: list[dict] = []
    ask = Child.ask
    monkeypatch.setattr(Child, "ask", lambda self, seconds, **what: asked.append(what) or ask(self, seconds, **what))
    one = Registry().exercise("01.1")  # loaded before: what is counted is the way, not the import of modules
    monkeypatch.setattr(type(one), "seconds", 60.0)
    monkeypatch.setattr(Registry, "exercises", lambda self, unit: (one,))
    path = write(tmp_path, "01_passcode_race", code_cells(paths.units()["01_passcode_race"] / "lab.py"))
    with Moves() as parents:
        report = check_notebook(path, seed=1)
    shim = Shim(Registry())
    shim.handle({"do": "source", "handle": "notebook", "name": "schedule", "setup": "",
                 "source": "schedule = ['mallory*3', 'alice*', 'mallory*']"})
    monkeypatch.setattr(shim, "shell", SimpleNamespace(user_ns={"schedule": shim.answers["notebook"]}))
    with Moves() as childs:
        reply = shim.handle(asked[-1])
    assert report.ok and asked[-1]["do"] == "assess" and reply["verdict"]["ok"], reply
    assert 20 < parents.count + childs.count <= MOST_MOVES, (parents.count, childs.count)
