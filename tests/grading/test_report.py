"""What a run leaves: tables that no spreadsheet computes, pages that no browser executes."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from nbgrader.api import Gradebook

from sharedstate.checks import Registry, Verdict
from sharedstate.checks.notebook import _row
from sharedstate.cli import cli
from sharedstate.commands.grade import named_executor
from sharedstate.grading.gradebook import grade_id, programs_found, write_scores
from sharedstate.grading.report import file_name, page, write_report
from sharedstate.grading.submissions import Submission
from sharedstate.grading.work import FAILED, Row, row_of

from .conftest import notebook

BAD = "=cmd|' /C calc'!A0"
SCHEDULE = "     alice      mallory    line source\n  1  n = 1                 3    n = 1\n\n"


def row(learner: str) -> Row:
    """Return a row with one exercise, whose message tries to be a formula and a script."""
    each = {"id": "01.1", "title": "T", "ok": False, "points": 1.0, "max_points": 2.0, "reason": "wrong",
            "message": "<script>alert(1)</script> `x`\n" + BAD, "schedule": SCHEDULE}
    found = row_of(Submission(learner, f"{learner}/lab.ipynb", "01"), 3, "not-all-right", BAD)
    return {**found, "points": 1.0, "max_points": 2.0, "exercises": [each], "box": "a box", "notes": ["<b>"]}


def test_a_report_is_safe_to_open(tmp_path: Path) -> None:
    learners = ["ann", "../up", "a b", BAD, "lone \udc80"]
    write_report([row(name) for name in learners], tmp_path, 3)
    table = list(csv.reader((tmp_path / "grades.csv").read_text(encoding="utf-8").splitlines()))
    assert len(table) == 6 and not any(cell.startswith("=") for line in table for cell in line)
    assert {len(line) for line in table} == {7}
    data = json.loads((tmp_path / "grades.json").read_text(encoding="utf-8", errors="surrogatepass"))
    assert data["seed"] == 3 and data["boxes"] == ["a box"] and len(data["submissions"]) == 5
    pages = sorted((tmp_path / "feedback").iterdir())
    assert len(pages) == len(learners) and len({file_name(name) for name in learners}) == len(learners)
    for one in pages:
        text = one.read_text(encoding="utf-8")
        assert "<script" not in text and "&lt;script&gt;" in text and "default-src 'none'" in text
        assert "<code>x</code>" in text and "ss-schedule" in text and "1 of 2 points" in text


def test_a_verdict_that_a_child_had_a_say_in_is_cut_to_size_and_to_texts() -> None:
    one = EXERCISES[0]
    odd = _row(one, Verdict(False, 0.0, "x" * 10**6, ["a"], {"step": 1}))  # type: ignore[arg-type]
    assert len(odd.message) < 5000 and (odd.reason, odd.schedule) == ("unusable", None)
    assert len(_row(one, Verdict(False, 0.0, "m", "r" * 999, "s" * 10**6)).schedule or "") < 50_000


def test_a_page_without_exercises_says_why() -> None:
    text = page("ann", [row_of(Submission("ann", "lab.ipynb"), 3, "unreadable", "no notebook")])
    assert "no notebook" in text and "0 of 0 points" in text


def test_the_command_grades_a_folder_and_tells_of_the_box(tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "ann.ipynb").write_text(notebook("schedule = ...", "check('01.1')"), encoding="utf-8")
    (folder / "bob.ipynb").write_text("no notebook", encoding="utf-8")
    done = CliRunner().invoke(cli, ["grade", str(folder), "--out", str(out), "--seed", "4"])
    assert done.exit_code == 0, done.output
    assert "seed 4. Isolation: " in done.output and "2 submissions in" in done.output
    reasons = [line.split(",")[5] for line in (out / "grades.csv").read_text().splitlines()]
    assert reasons == ["reason", "not-all-right", "unreadable"]
    assert sorted(page.name for page in (out / "feedback").iterdir()) == ["ann.html", "bob.html"]


@pytest.mark.parametrize(("words", "said"), [
    (["nowhere"], "is no folder"), ([".", "--executor", "ray://x"], "is no executor that is known"),
])
def test_a_slip_ends_in_one_line(tmp_path: Path, words: list[str], said: str) -> None:
    (tmp_path / "ann.ipynb").write_text(notebook("check('01.1')"), encoding="utf-8")
    done = CliRunner().invoke(cli, ["grade", str(tmp_path / words[0]), "--out", str(tmp_path / "out"), *words[1:]])
    assert done.exit_code == 1 and said in done.output and "Traceback" not in done.output


def test_no_executor_is_asked_for_by_default() -> None:
    with named_executor(None) as engine:
        assert engine is None


# --- nbgrader's gradebook: each exercise a cell, the best notebook counts, a person's score stays


EXERCISES = Registry().exercises("01")
BOOK, LAB = "01_passcode_race", "lab_01_passcode_race"


def earned(learner: str, points: float, unit: str = "01", reason: str = "not-all-right", name: str = "a") -> Row:
    """Return a row whose points were all earned with the first exercise."""
    each = [{"id": one.id, "points": points if place == 0 else 0.0} for place, one in enumerate(EXERCISES)]
    made = row_of(Submission(learner, f"{learner}/{name}.ipynb", unit), 1, reason, "")
    return {**made, "points": points, "exercises": each if unit and reason != "unreadable" else []}


def scores(file: Path) -> dict[str, Any]:
    """Return each learner's score as nbgrader sums it up, and the most there is."""
    with Gradebook(f"sqlite:///{file}") as book:
        return {one.student.id: (one.score, one.max_score) for one in book.assignment_submissions(BOOK)}


@pytest.mark.exhaustive
def test_scores_are_written_and_written_again(tmp_path: Path) -> None:
    file, most = tmp_path / "gradebook.db", sum(one.points for one in EXERCISES)
    rows = [earned("ann", 1.0), earned("ann", 2.0, name="b"), earned("bob", 0.0, reason="unreadable"),
            earned("zoe", 2.0, unit=""), earned("mia", 2.0, reason=FAILED)]
    assert write_scores(rows, file) == 2
    assert scores(file) == {"ann": (2.0, most), "bob": (0.0, most)}
    with Gradebook(f"sqlite:///{file}") as book:
        book.find_grade(grade_id(EXERCISES[1].id), LAB, BOOK, "bob").manual_score = 1.5
        book.db.commit()
    assert write_scores([earned("ann", 0.5), earned("bob", 1.0)], file) == 2
    assert scores(file) == {"ann": (0.5, most), "bob": (2.5, most)}


@pytest.mark.exhaustive
def test_a_submission_that_is_older_than_its_cells_gets_them(tmp_path: Path) -> None:
    file = tmp_path / "gradebook.db"
    with programs_found(), Gradebook(f"sqlite:///{file}") as book:
        book.add_assignment(BOOK)
        book.add_notebook(LAB, BOOK)
        book.add_student("ann")
        book.add_submission(BOOK, "ann")
    assert write_scores([earned("ann", 2.0)], file) == 1 and scores(file)["ann"][0] == 2.0
