"""The course's own table: every bug shows in every run, every control and fix is clean."""

from __future__ import annotations

import inspect
import linecache
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import jupytext
import pytest

from sharedstate import paths
from sharedstate.faults import Fault, LessonError, UnknownFault, load, table, walk
from sharedstate.faults.report import RUNS, report
from sharedstate.percent import code_cells
from tests.faults.conftest import LESSON, UNIT


@pytest.mark.parametrize("fault", table(), ids=lambda fault: fault.name)
def test_shown_in_every_run_and_clean_where_it_must_be(fault: Fault, exhaustive: bool) -> None:
    (found,) = walk([fault.name], None if exhaustive else 2)
    assert found.trouble == ""
    assert (found.shown, found.control_clean, found.fix_clean) == (found.runs, True, True)
    assert found.runs <= RUNS


@pytest.mark.parametrize("fault", table(), ids=lambda fault: fault.name)
def test_says_in_words_what_it_is(fault: Fault) -> None:
    assert all(len(words.split()) > 1 for words in (fault.oracle, fault.control, fault.fix))
    assert fault.unit in paths.units()
    load(fault.unit, fault.name)


def tagged(prefix: str) -> Iterator[tuple[str, str]]:
    """Yield (unit, name) for every tag with this prefix in the lessons."""
    for unit, folder in paths.units().items():
        if (folder / "lesson.py").is_file():
            for cell in code_cells((folder / "lesson.py").read_text(encoding="utf-8")):
                yield from ((unit, tag.removeprefix(prefix)) for tag in cell.tags if tag.startswith(prefix))


def test_every_tagged_fault_of_a_lesson_is_in_the_table() -> None:
    known = {(fault.unit, fault.name) for fault in table()}
    assert set(tagged("fault:")) == known
    assert set(tagged("fix:")) <= known


# -- Loading a fault's cells: what runs, in which order, under which file name.


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


# -- The machinery on known answers: it must say so when a bug hides, a control is dirty, a fix is no fix.


def bumps(names: Mapping[str, object], name: str) -> int:
    """Two bumps of a fresh counter of that class."""
    return names["two_bumps"](names[name]())


LOST = Fault(
    name="lost-update", unit=UNIT,
    oracle="two bumps give two", control="one bump gives one", fix="bump in place",
    show=lambda names: bumps(names, "Counter") == 1,
    control_clean=lambda names: names["Counter"](1).value == 1,
    fix_clean=lambda names: bumps(names, "Fixed") == 2,
)


def quick(fault: Fault, runs: int | None = 3) -> object:
    """Report on one fault of a table of one."""
    (found,) = walk(runs=runs, faults=[fault])
    return found


def test_a_good_fault_is_shown_in_every_run(lesson: Path) -> None:
    found = quick(LOST, None)
    assert (found.runs, found.shown, found.control_clean, found.fix_clean) == (50, 50, True, True)
    assert found.ok


def test_a_fault_that_does_not_show_is_reported(lesson: Path) -> None:
    found = quick(replace(LOST, show=lambda names: bumps(names, "Counter") == 2))
    assert (found.shown, found.runs, found.ok) == (0, 3, False)


def test_a_fault_that_shows_only_sometimes_is_reported(lesson: Path) -> None:
    answers = iter([True, False, True])
    found = quick(replace(LOST, show=lambda names: next(answers)))
    assert (found.shown, found.runs, found.ok) == (2, 3, False)


def test_a_dirty_control_is_reported(lesson: Path) -> None:
    found = quick(replace(LOST, control_clean=lambda names: names["Counter"]().value == 1))
    assert (found.shown, found.control_clean, found.fix_clean, found.ok) == (3, False, True, False)


def test_a_dirty_fix_is_reported(lesson: Path) -> None:
    found = quick(replace(LOST, fix_clean=lambda names: bumps(names, "Counter") == 2))
    assert (found.shown, found.control_clean, found.fix_clean, found.ok) == (3, True, False, False)


def test_an_error_in_a_probe_is_told_and_never_counts_as_shown(lesson: Path) -> None:
    found = quick(replace(LOST, show=lambda names: names["Nobody"]))
    assert found.shown == 0 and found.trouble == "KeyError: 'Nobody'"


def test_an_answer_that_is_no_bool_never_counts(lesson: Path) -> None:
    found = quick(replace(LOST, show=lambda names: "yes"))
    assert found.shown == 0 and "'yes'" in found.trouble


def test_a_slow_fault_is_run_five_times(lesson: Path) -> None:
    slow = replace(LOST, show=lambda names: time.sleep(0.21) is None)
    assert report(slow).runs == 5


def test_json_has_the_eight_fields(lesson: Path) -> None:
    assert list(quick(LOST).to_json()) == [
        "name", "unit", "oracle", "runs", "shown", "control_clean", "fix_clean", "seconds"]


def test_names_and_units_choose(lesson: Path) -> None:
    other = replace(LOST, name="other", unit="01_passcode_race")
    assert [r.name for r in walk(["other"], 1, faults=[LOST, other])] == ["other"]
    assert [r.name for r in walk([], 1, "77", faults=[LOST, other])] == ["lost-update"]


def test_a_fault_without_a_cell_is_told(lesson: Path) -> None:
    found = quick(replace(LOST, name="other"))
    assert not found.ok and found.shown == 0 and "tagged fault:other" in found.trouble


def test_an_unknown_name_lists_the_names(lesson: Path) -> None:
    with pytest.raises(UnknownFault, match=r"No fault 'lost'.*lost-update"):
        walk(["lost"], 1, faults=[LOST])


def test_no_runs_are_refused(lesson: Path) -> None:
    with pytest.raises(ValueError, match="1 or more"):
        walk(runs=0, faults=[LOST])
