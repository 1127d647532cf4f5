"""The word `drill`: what it prints, with a clock of the test's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sharedstate.cli import cli
from sharedstate.drills import DrillBook, drill

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a way to call `drill …` at a moment (seconds), with my-labs/ in a temporary folder."""
    monkeypatch.setenv("SHAREDSTATE_MY_LABS", str(tmp_path / "my-labs"))

    def called(*words: str, at: float = 0.0) -> Result:
        result = CliRunner().invoke(cli, ["drill", *words], obj=lambda: at)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return called


def test_alone_it_lists_the_deck(run: Run) -> None:
    listed = run()
    assert listed.exit_code == 0 and all(f"D{number:02}  " in listed.output for number in range(1, 25))


def test_a_whole_try(run: Run) -> None:
    assert drill("D03").title in run("start", "d3", at=100.0).output
    assert drill("D03").hints[0] in run("hint").output
    assert run("clock", at=190.0).output == "D03: 1:30 of 6:00, 4:30 left, 1 hint.\n"
    stopped = run("stop", at=400.0).output
    assert "Rubric:" in stopped and "D03: 5:00 of 6:00" in stopped
    scored = run("score", "1", "3", at=9000.0)
    assert "D03   4 of 10  5:00, 1 hint" in scored.output
    assert run("history").output == scored.output
    assert "best 4 of 10" in run().output


def test_no_row_is_written_as_0_and_a_late_one_is_marked(run: Run) -> None:
    run("start", "D01", at=0.0)
    run("stop", at=301.0)
    assert "D01   0 of 10  5:01, over time" in run("score", "0").output


@pytest.mark.parametrize("words", [("hint",), ("clock",), ("stop",), ("score", "1"), ("drop",)])
def test_without_a_drill_that_runs_the_remedy_is_named(run: Run, words: tuple[str, ...]) -> None:
    refused = run(*words)
    assert refused.exit_code == 1 and "No drill is running: `python run.py drill start D01`" in refused.output


def test_what_does_not_fit_is_said_in_words(run: Run) -> None:
    assert "There is no drill 'D99'" in run("show", "D99").output
    run("start", "D09")
    assert "D09 is not done yet" in run("start", "D01").output
    run("stop")
    assert "no answer to 12.2 in your lab 12" in run("score", "1").output
    assert run("score", "7").exit_code == 1
    assert run("drop").output == "D09 is dropped.\n" and DrillBook.load().tries == ()
    assert "No drill was done yet" in run("history").output


def test_only_the_interviewer_sees_the_rubric(run: Run) -> None:
    asked, judged = run("show", "D06").output, run("show", "D06", "--interviewer").output
    assert "Rubric" not in asked and asked.strip() in judged and "Rubric" in judged


def test_a_mock_interview_is_the_same_for_both(run: Run) -> None:
    candidate, interviewer = run("mock", "--seed", "3"), run("mock", "--seed", "3", "--interviewer")
    plan = candidate.output.split("\n\n")[0]
    assert plan in interviewer.output and "Rubric" in interviewer.output and "Rubric" not in candidate.output
    assert run("mock", "--seed", "4").output != candidate.output
    assert run("mock").exit_code == 2 and run("mock", "--seed", "1", "--minutes", "30").exit_code == 2
    assert run("mock", "--seed", "3", "--minutes", "45").output.count("=" * 72) >= 4


def test_sheets_are_written(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "paper" / "drills.html"
    assert run("show", "--print", str(target)).output == f"Written: {target}, 24 pages.\n"
    assert target.read_text(encoding="utf-8").count("<section") == 24
    run("show", "D01", "--print", str(target))
    assert target.read_text(encoding="utf-8").count("<section") == 1
    assert "3 pages" in run("mock", "--seed", "7", "--print", str(target)).output


def test_a_damaged_history_is_kept_and_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "my-labs").mkdir()
    (tmp_path / "my-labs" / "drills.json").write_text("{")
    assert "drills.json was damaged" in run("history").output
    assert len([*(tmp_path / "my-labs").glob("drills-damaged-*")]) == 1
