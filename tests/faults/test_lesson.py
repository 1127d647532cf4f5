"""Loading a fault's cells: what runs, in which order, under which file name."""

from __future__ import annotations

import inspect
import linecache
from pathlib import Path

import jupytext
import pytest

from sharedstate import paths
from sharedstate.faults import LessonError, load
from sharedstate.percent import code_cells

from .conftest import LESSON, UNIT


def test_setup_and_fault_cells_run_and_nothing_else(lesson: Path) -> None:
    names = load(UNIT, "lost-update").make()
    assert names["two_bumps"](names["Counter"]()) == 1
    assert "Fixed" not in names


def test_the_fix_comes_with_what_it_builds_on(lesson: Path) -> None:
    names = load(UNIT, "lost-update", fix=True).make()
    assert names["two_bumps"](names["Fixed"]()) == 2


def test_every_make_is_a_fresh_module(lesson: Path) -> None:
    recipe = load(UNIT, "lost-update")
    first, second = recipe.make(), recipe.make()
    first["Counter"].value = 99
    assert second["Counter"]().value == 0 and first["Counter"] is not second["Counter"]


def test_the_source_is_known_under_one_stable_name(lesson: Path) -> None:
    for recipe in (load(UNIT, "lost-update"), load(UNIT, "lost-update")):
        names = recipe.make()
        linecache.checkcache()
        assert names["Counter"].bump.__code__.co_filename == "<lesson 77_tiny: lost-update>"
        assert inspect.getsource(names["Counter"].bump).strip().startswith("def bump")
        assert inspect.getsource(names["Counter"]).startswith("@dataclasses.dataclass")


@pytest.mark.parametrize(("unit", "fault", "words"), [
    (UNIT, "no-such", "no cell of course/77_tiny/lesson.py is tagged fault:no-such"),
    ("78_none", "lost-update", "no lesson course/78_none/lesson.py"),
])
def test_a_missing_cell_or_lesson_is_named(lesson: Path, unit: str, fault: str, words: str) -> None:
    with pytest.raises(LessonError, match=words):
        load(unit, fault)


def test_a_cell_that_is_not_python_is_named(lesson: Path) -> None:
    lesson.write_text(LESSON.replace("def bump(self, seen):", "def bump(self, seen)"), encoding="utf-8")
    with pytest.raises(LessonError, match=r"lost-update.*def bump"):
        load(UNIT, "lost-update")


def check_against_jupytext(path: Path) -> int:
    """Assert that both readers see the same code cells and tags; return how many."""
    book = jupytext.read(path, fmt="py:percent")
    theirs = [(n, set(cell.metadata.get("tags", [])), cell.source.strip("\n"))
              for n, cell in enumerate(book.cells, 1) if cell.cell_type == "code"]
    found = code_cells(path.read_text(encoding="utf-8"))
    ours = [(cell.number, set(cell.tags), cell.source) for cell in found]
    assert ours == theirs
    return len(ours)


def test_our_reader_sees_the_cells_that_jupytext_sees(lesson: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_against_jupytext(lesson) == 5
    monkeypatch.delenv("SHAREDSTATE_HOME")
    for folder in paths.units().values():
        if (folder / "lesson.py").is_file():
            assert check_against_jupytext(folder / "lesson.py") > 0
