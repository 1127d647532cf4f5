"""nbgrader owns release, collection and gradebook: end to end, with its own validators, converters and gradebook."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.utils import determine_grade

from sharedstate import paths
from sharedstate.authoring.documents import Document
from sharedstate.authoring.release import CONFIG, mark, release, source_notebook
from sharedstate.authoring.source import MARKERS, AuthoringError, notebook
from sharedstate.checks import Registry
from sharedstate.checks.bank import wrong_answers
from sharedstate.checks.types import credit
from sharedstate.grading.autograde import outputs
from sharedstate.grading.gradebook import grade_id, write_scores
from sharedstate.grading.submissions import submissions
from sharedstate.grading.work import Job, grade_here

from .classroom import Classroom

UNITS = Registry().units()
ALL = {grade_id(one.id): one.points for one in Registry().exercises("01")}
TRICK = "import sharedstate.checks\nsharedstate.checks.earned = sharedstate.checks.check = lambda *a, **k: -1\n-1"
LIES = {"schema_version": 2, "grade": True, "grade_id": "01-1", "points": 99.0, "solution": False, "locked": False}


@pytest.mark.parametrize("unit", UNITS)
def test_the_source_is_the_solution_with_nbgraders_marks_and_the_hidden_test_is_the_call_of_the_check(
    unit: str
) -> None:
    name = paths.resolve_unit(unit)
    book = source_notebook(name)
    MetadataValidator().validate_nb(book)
    home = paths.root()
    solved = notebook(Document(name, "", "solution", paths.units()[name] / "lab.py",
                               home / "solutions" / paths.notebook_name(name, "solution")))
    ids = [one.id for one in Registry().exercises(unit)]
    graded = {cell.metadata.nbgrader.grade_id: cell for cell in book.cells
              if "nbgrader" in cell.metadata and cell.metadata.nbgrader.grade}
    assert list(graded) == [grade_id(one) for one in ids]
    for cell, right in zip(book.cells, solved.cells, strict=False):
        lines = cell.source.split("\n")
        if cell in graded.values():
            begin, end = lines.index(MARKERS[2]), lines.index(MARKERS[3])
            assert [line for line in lines[begin + 1:end] if line] == [
                "from sharedstate.checks import earned", f'earned("{cell.metadata.nbgrader.grade_id.replace("-", ".")}")']
            lines = lines[:begin] + lines[end + 1:]
        assert "\n".join(line for line in lines if line.strip() not in MARKERS) == right.source
    assert len(book.cells) == len(solved.cells) - 1, "all but the links at the foot"


def test_a_lab_that_nbgrader_could_not_use_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="no lab"):
        release(tmp_path, ["00"])
    unit = tmp_path / "01_passcode_race"
    unit.mkdir()
    (unit / "lab.py").write_text("# %% tags=[\"exercise:01.1\"]\nschedule = 1\n", encoding="utf-8")
    monkeypatch.setattr(paths, "units", lambda: {unit.name: unit})
    with pytest.raises(AuthoringError, match="one answer cell with a solution"):
        source_notebook(unit.name)


def test_settings_of_a_teacher_stay(tmp_path: Path) -> None:
    assert [path.name for path in release(tmp_path, ["01"])] == ["lab_01_passcode_race.ipynb", CONFIG]
    (tmp_path / CONFIG).write_text("mine", encoding="utf-8")
    assert [path.name for path in release(tmp_path, ["1"])] == ["lab_01_passcode_race.ipynb"]
    assert (tmp_path / CONFIG).read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("points", [-1, 4.5, float("nan"), float("inf"), "4", None, [4]])
def test_points_that_nbgrader_would_take_for_full_ones_are_refused(points: Any) -> None:
    with pytest.raises(ValueError, match="number of points"):
        credit(points, 4)


def test_nbgrader_reads_the_points_of_a_verdict_and_would_take_minus_one_for_all() -> None:
    one = Registry().exercise("01.4")
    cell = nbformat.v4.new_code_cell()
    mark(cell, "01-4", points=one.points)
    for points in (0.0, 1.5, 3.0):
        cell.outputs = outputs({"id": one.id, "ok": False, "points": points, "max_points": one.points,
                                "message": "-1", "reason": "some", "schedule": None})
        assert determine_grade(cell) == (points, one.points)
    cell.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": "-1"})]
    assert determine_grade(cell) == (one.points, one.points), "the trap itself"


def lying(book: Any) -> None:
    """Write tricks into a released notebook: -1 for the check, marks that lie, a graded cell that is gone or changed."""
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in book.cells if "nbgrader" in cell.metadata}
    cells["answer-01-2"].source = TRICK
    cells["answer-01-1"].metadata.nbgrader = LIES
    cells["01-1"].metadata.nbgrader.points = 99
    cells["01-2"].source = "-1"
    cells["answer-01-3"].metadata.nbgrader = {}
    cells["01-5"].metadata.nbgrader = dict(cells["01-6"].metadata.nbgrader)
    book.cells.remove(cells["01-3"])
    book.cells += [nbformat.v4.new_code_cell("-1", metadata={"nbgrader": {**LIES, "grade_id": "99-9"}})]


def test_one_lab_and_two_learners_from_release_to_gradebook(tmp_path: Path) -> None:
    room = Classroom(tmp_path, "01")
    released = nbformat.read(room.generate("01"), 4)
    texts = "\n".join(cell.source for cell in released.cells)
    assert "# your code here" in texts and "earned" not in texts and "BEGIN" not in texts
    room.hand_in("01", "ann", room.answered("01", room.solved("01")))
    bad = room.hand_in("01", "bob", lying)
    for learner in ("ann", "bob"):
        went, log = room.autograde("01", learner)
        assert went and "Isolation: " in log, log
    assert room.points("01", "ann") == ALL
    assert room.points("01", "bob") == dict.fromkeys(ALL, 0.0)
    before = bad.read_bytes()
    rows = [grade_here(Job(one, 3)) for one in submissions(tmp_path) if one.learner == "ann"]
    with room.book() as book:
        book.find_grade("01-4", "lab_01_passcode_race", "01_passcode_race", "ann").auto_score = 1.0
        book.db.commit()
    assert write_scores(rows, tmp_path / "gradebook.db") == 1
    assert room.points("01", "ann") == ALL and bad.read_bytes() == before


@pytest.mark.exhaustive
@pytest.mark.parametrize("unit", UNITS)
def test_every_lab_is_released_and_graded(tmp_path: Path, unit: str) -> None:
    room = Classroom(tmp_path, unit)
    room.generate(unit)
    wrong = {f"answer-{grade_id(each.id)}": wrong_answers(each.folder)[0].source for each in Registry().rooms(unit)}
    most = {grade_id(one.id): one.points for one in Registry().exercises(unit)}
    for learner, answers in (("ann", room.solved(unit)), ("bob", wrong), ("zoe", {})):
        room.hand_in(unit, learner, room.answered(unit, answers))
        went, log = room.autograde(unit, learner)
        assert went, log
    assert room.points(unit, "ann") == most and room.points(unit, "zoe") == dict.fromkeys(most, 0.0)
    found = room.points(unit, "bob")
    assert found.keys() == most.keys() and all(found[name] < most[name] for name in most)


@pytest.mark.exhaustive
def test_in_nbgraders_own_kernel_honest_work_earns_its_points_and_a_trick_gets_them_all(tmp_path: Path) -> None:
    room = Classroom(tmp_path, "01")
    room.generate("01")
    del room.config["Autograde"]
    solved = room.solved("01")
    wrong = {f"answer-{grade_id(each.id)}": wrong_answers(each.folder)[0].source for each in Registry().rooms("01")}
    room.hand_in("01", "ann", room.answered("01", solved))
    room.hand_in("01", "bob", room.answered("01", {**solved, "answer-01-1": wrong["answer-01-1"]}))
    room.hand_in("01", "eve", room.answered("01", {**wrong, "answer-01-1": TRICK}))
    for learner in ("ann", "bob", "eve"):
        went, log = room.autograde("01", learner)
        assert went, log
    assert room.points("01", "ann") == ALL and room.points("01", "bob") == {**ALL, "01-1": 0.0}
    assert room.points("01", "eve") == ALL, "the reason why `configure` puts the judge in the kernel's place"


@pytest.mark.exhaustive
def test_one_file_ends_the_run_of_a_class_unless_its_marks_are_restored(tmp_path: Path) -> None:
    room = Classroom(tmp_path, "01")
    room.generate("01")
    room.hand_in("01", "bob", lying)
    room.config.Autograde.sanitize_preprocessors = room.config.Autograde.sanitize_preprocessors[1:]
    went, log = room.autograde("01", "bob")
    assert not went and "old version" in log


@pytest.mark.exhaustive
def test_what_a_teacher_types(tmp_path: Path) -> None:
    room = Classroom(tmp_path, "01")
    before = Path(sys.executable).parent

    def typed(*words: str) -> str:
        """Call nbgrader as in a shell with this Python's environment activated."""
        env = {**os.environ, "PATH": os.pathsep.join((str(before), os.environ["PATH"]))}
        done = subprocess.run([sys.executable, "-m", "nbgrader", *words], cwd=tmp_path, env=env, capture_output=True,
                              text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    unit, file = "01_passcode_race", "lab_01_passcode_race.ipynb"
    typed("generate_assignment", unit)
    book, solved = nbformat.read(tmp_path / "release" / unit / file, 4), tmp_path / "solved.ipynb"
    room.answered("01", room.solved("01"))(book)
    nbformat.write(book, solved)
    archive = tmp_path / "downloaded" / unit / "archive"
    archive.mkdir(parents=True)
    with ZipFile(archive / "ann.zip", "w") as packed:
        packed.write(solved, file)
    (archive / f"bob_{file}").write_bytes((tmp_path / "release" / unit / file).read_bytes())
    assert "passes all the tests" in typed("validate", solved.name)
    assert "VALIDATION FAILED ON 6 CELL(S)" in typed("validate", f"release/{unit}/{file}")
    typed("zip_collect", unit)
    assert "Isolation: " in typed("autograde", unit)
    assert room.points("01", "ann") == ALL and room.points("01", "bob") == dict.fromkeys(ALL, 0.0)
    typed("export")
    lines = (tmp_path / "grades.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
