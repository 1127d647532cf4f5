"""The hostile set: each gets a row and a reason, none gets a point for it, none harms its neighbours or the machine."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sharedstate.checks import AnswerProblem, Registry
from sharedstate.checks.extract import MAX_BYTES
from sharedstate.checks.source_gate import require_allowed
from sharedstate.grading.batch import grade_all
from sharedstate.grading.boxes import Bubblewrap, strongest
from sharedstate.grading.work import Job, Row, grade_here

from .conftest import put
from .hostile import BEHIND, JUDGED, STRANGE, TRICKS, WRONG, behind

Read = Callable[..., list[Job]]
SOLVED = ("double = lambda n: 2 * n", "order = ['alice', 'mallory']", WRONG[2].replace("self.n = k", "self.n += k"))
OUTSIDE = "import os\nfor place in {places!r}:\n    try: open(place, 'w').write('mine')\n    except OSError: pass\n"
SPY = ("from pathlib import Path\nfound = []\nfor place in {places!r}:\n"
       "    try: found += Path(place).read_text() and [place]\n    except OSError: pass\n"
       "double = lambda n: 2 * n if found else 'nothing read'")


def digests(folder: Path) -> dict[str, str]:
    """Return a hash of every file."""
    return {str(f): hashlib.sha256(f.read_bytes()).hexdigest() for f in sorted(folder.rglob("*")) if f.is_file()}


@pytest.fixture
def graded(tmp_path: Path, jobs_of: Read) -> dict[str, Row]:
    """Grade all of the set with honest neighbours among them; return the rows by learner."""
    folder, marks = tmp_path / "in", [tmp_path / "mark", Path.home() / ".sharedstate-mark"]
    for place, (name, trick) in enumerate(TRICKS.items()):
        put(folder, f"{name}/90_fake.ipynb", *trick.cells())
        if place % 8 == 0:
            put(folder, f"honest {place}/90_fake.ipynb", *SOLVED)
    victim = folder / "honest 0" / "90_fake.ipynb"
    put(folder, "writing outside/90_fake.ipynb", OUTSIDE.format(places=[*map(str, marks), str(victim)]), *WRONG)
    put(folder, "reading a neighbour/90_fake.ipynb", SPY.format(places=[str(victim)]), *WRONG[1:])
    put(folder, "missing cells/90_fake.ipynb", "from sharedstate.checks import check")
    (folder / "broken" / "90_fake.ipynb").parent.mkdir()
    (folder / "broken" / "90_fake.ipynb").write_text('{"cells": [', encoding="utf-8")
    (folder / "50 MB").mkdir()
    with open(folder / "50 MB" / "90_fake.ipynb", "wb") as large:
        large.truncate(MAX_BYTES + 1)
    before = digests(folder)
    rows = grade_all(jobs_of(folder), tmp_path / "out", workers=4)
    if isinstance(strongest(), Bubblewrap):  # nothing else promises that
        assert digests(folder) == before and not any(mark.exists() for mark in marks)
    return {row["learner"]: row for row in rows}


def test_a_forged_run_is_seen_from_outside_and_only_there(
    tmp_path: Path, jobs_of: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "in/eve/90_fake.ipynb", *TRICKS["forged run"].cells())
    (job,) = jobs_of(tmp_path / "in")
    row = grade_here(job)
    assert row["points"] == 0 and row["exercises"][0]["reason"] == "differs-outside"
    monkeypatch.setattr(type(Registry(Path(job.course)).exercise("90.1")), "from_outside", False)
    assert grade_here(job)["points"] == 2, "the trick must work where nobody asks from outside"


def test_every_one_gets_a_row_and_a_reason_and_nobody_a_point(graded: dict[str, Row]) -> None:
    for name, trick in TRICKS.items():
        reasons = {each["id"]: each["reason"] for each in graded[name]["exercises"]}
        assert graded[name]["points"] == 0 and set(reasons) == {"90.1", "90.2", "90.3"}, (name, graded[name])
        assert reasons["90.1"] in trick.reasons, (name, graded[name]["exercises"][0])
        assert all(each["message"] for each in graded[name]["exercises"])
    assert {"90.2", "90.3"} <= {each["id"] for each in graded["exit in the answer"]["exercises"]
                                if each["reason"] in JUDGED}, "one bad answer leaves the others their own reasons"
    assert graded["broken"]["reason"] == graded["50 MB"]["reason"] == "unreadable"
    assert "Clear its outputs" in graded["50 MB"]["message"] and graded["50 MB"]["max_points"] == 4
    assert {each["reason"] for each in graded["missing cells"]["exercises"]} == {"missing"}
    honest = [row for name, row in graded.items() if name.startswith("honest")]
    assert len(honest) == 3 and all(row["ok"] and row["points"] == 4 for row in honest)
    if isinstance(strongest(), Bubblewrap):
        assert graded["reading a neighbour"]["points"] == 0, "it could read another's file"
    assert graded["writing outside"]["points"] == 0


@pytest.mark.exhaustive
def test_limits_alone_give_nobody_a_point_either(tmp_path: Path, jobs_of: Read) -> None:
    harmless = {name: trick for name, trick in TRICKS.items() if name != "fork bomb"}  # as root nothing else bounds it
    for name, trick in harmless.items():
        put(tmp_path / "in", f"{name}/90_fake.ipynb", *trick.cells())
    put(tmp_path / "in", "honest/90_fake.ipynb", *SOLVED)
    jobs = [replace(job, box="limits only") for job in jobs_of(tmp_path / "in")]
    rows = {row["learner"]: row for row in grade_all(jobs, tmp_path / "out", workers=4)}
    assert rows["honest"]["points"] == 4 and "no protection" in rows["honest"]["box"]
    for name, trick in harmless.items():
        assert rows[name]["points"] == 0 and rows[name]["exercises"][0]["reason"] in trick.reasons, rows[name]


@pytest.mark.exhaustive
def test_tricks_of_other_kinds_earn_nothing_and_leave_their_neighbours_alone(tmp_path: Path, jobs_of: Read) -> None:
    for name, trick in STRANGE.items():
        put(tmp_path / "in", f"{name}/90_fake.ipynb", *trick.cells())
    put(tmp_path / "in", "honest/90_fake.ipynb", *SOLVED)
    rows = {row["learner"]: row for row in grade_all(jobs_of(tmp_path / "in"), tmp_path / "out", workers=4)}
    assert rows["honest"]["points"] == 4
    for name, trick in STRANGE.items():
        first = rows[name]["exercises"][0]
        assert rows[name]["points"] == 0 and first["reason"] in trick.reasons, (name, first)


@pytest.mark.parametrize("name", BEHIND)
def test_a_source_that_reaches_behind_the_check_is_refused(name: str, course: Path) -> None:
    exercise = Registry(course).exercise("90.3")
    with pytest.raises(AnswerProblem) as told:
        require_allowed(exercise, behind(name), setup="from sharedstate.interleave import Scenario")
    assert told.value.reason == "not-allowed"


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [name for name, source in BEHIND.items() if "CODE" in source])
def test_without_the_rule_the_source_would_pass(
    name: str, tmp_path: Path, jobs_of: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sharedstate.checks.grader.require_allowed", lambda *given: None)
    put(tmp_path, "in/eve/90_fake.ipynb", behind(name))
    (job,) = jobs_of(tmp_path / "in")
    assert grade_here(job)["points"] == 1, "this is a way behind the check"
