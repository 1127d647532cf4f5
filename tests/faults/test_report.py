"""The machinery on known answers: it must say so when a bug hides, a control is dirty, a fix is no fix."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from sharedstate.faults import Fault, UnknownFault, walk
from sharedstate.faults.report import report

from .conftest import UNIT


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
