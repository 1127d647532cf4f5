"""The course's own table: every bug shows in every run, every control and fix is clean."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sharedstate import paths
from sharedstate.faults import Fault, load, table, walk
from sharedstate.faults.report import RUNS
from sharedstate.percent import code_cells


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
