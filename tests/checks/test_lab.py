"""The check that a lab's cell calls: every kind of bad answer gets its message, progress is kept."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from sharedstate.checks import Case, ExerciseNotSolved, Registry, Verdict, assess, check
from sharedstate.checks.assess import combine
from sharedstate.checks.lab import CheckView

HALF = Verdict(False, 0.5, "half", "half")


def test_a_right_answer_is_shown_and_stored(
    fake: Registry, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verdict = check("90.1", lambda n: 2 * n, registry=fake)
    assert verdict.ok and verdict.points == 2.0
    assert "SOLVED  90.1  2 of 2 points." in capsys.readouterr().out
    stored = json.loads((home / "progress.json").read_text())["exercises"]["90.1"]
    assert stored["attempts"] == 1 and stored["points"] == 2.0 and stored["solved"]


def test_a_wrong_answer_says_so_and_lets_the_notebook_go_on(
    fake: Registry, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verdict = check("90.1", lambda n: n, registry=fake)
    assert not verdict.ok and verdict.reason == "not-double"
    assert "0 of 4 points, next: 90.1." in capsys.readouterr().out


def test_an_answer_that_is_not_there_is_said_in_words(fake: Registry, home: Path) -> None:
    verdict = check("90.1", registry=fake)
    assert verdict.reason == "missing" and "run all cells above first" in verdict.message


def test_a_strict_check_stops_the_notebook_in_one_line(
    fake: Registry, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHAREDSTATE_STRICT", "1")
    assert not check("90.1", lambda n: n, registry=fake, strict=False).ok
    with pytest.raises(ExerciseNotSolved) as caught:
        check("90.1", lambda n: n, registry=fake)
    assert caught.value.verdict.reason == "not-double"
    assert len(caught.value._render_traceback_()) == 1
    stored = json.loads((home / "progress.json").read_text())["exercises"]["90.1"]
    assert stored["attempts"] == 2 and not stored["solved"]


def test_every_check_draws_fresh_cases(fake: Registry) -> None:
    asked: list[int] = []

    def spy(n: int) -> int:
        asked.append(n)
        return 2 * n

    check("90.1", spy, registry=fake)
    check("90.1", spy, registry=fake)
    assert asked[:3] != asked[3:]


def _raises(n: int) -> int:
    return {}[n]


def _loops(n: int) -> int:
    while True:
        pass


def _floods(n: int) -> int:
    print("x" * 2_000_000)
    return 2 * n


def _waits(n: int) -> int:
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
    return n


class _AlwaysEqual(int):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


@pytest.mark.parametrize(("answer", "reason", "words"), [
    (..., "untouched", "still empty"),
    (None, "untouched", "still empty"),
    (4, "wrong-type", "should be a function"),
    (lambda n: str(2 * n), "not-double", "gave '4'"),
    (lambda n: True, "not-double", "gave True"),
    (lambda n: _AlwaysEqual(1), "not-double", "gave 1"),
    (lambda n: {1, 2}, "not-plain", "of type set"),
    (lambda n: float("nan"), "not-plain", "nan"),
    (lambda n: 10 ** 5000, "not-plain", "cannot be written down"),
    (lambda n: "x" * 3_000_000, "not-plain", "too many"),
    (_raises, "exception", "KeyError: 2 at test_lab.py, line"),
    (lambda: 1, "exception", "TypeError"),
    (lambda n: 1 / 0, "exception", "Case 'two'"),
    (lambda n: exit(), "exception", "must not leave Python"),
    (_loops, "timeout", "did not end within"),
    (_waits, "stuck", "nobody will ever wake it"),
    (_floods, "too-much-output", "more than a megabyte"),
])
def test_bad_answers_get_their_reason(fake: Registry, answer: object, reason: str, words: str) -> None:
    verdict = assess(fake.exercise("90.1"), answer, seed=1)
    assert (verdict.ok, verdict.reason) == (False, reason)
    assert words in verdict.message


def test_an_answer_that_changes_its_inputs_changes_only_its_own_copy(
    fake: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(self: object, answer: object, case: Case) -> object:
        case.inputs["n"] = 50
        return 100

    exercise = fake.exercise("90.1")
    monkeypatch.setattr(type(exercise), "run", run)
    assert assess(exercise, lambda n: n, seed=1).reason == "not-double"


def test_a_value_that_breaks_the_judge_is_the_answers_fault(
    fake: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    exercise = fake.exercise("90.2")
    monkeypatch.setattr(type(exercise), "judge", lambda self, case, value: value["x"])
    assert assess(exercise, ["a"], seed=1).reason == "unusable"


def test_an_unknown_exercise_lists_the_known_ones(fake: Registry) -> None:
    with pytest.raises(ValueError, match=r"90\.1, 90\.2, 90\.3"):
        check("90.7", 1, registry=fake)
    with pytest.raises(ValueError, match=r"There is no exercise 'x'"):
        check("x", 1, registry=fake)


def test_points_are_the_fewest_of_any_case_and_no_case_is_no_success(fake: Registry) -> None:
    exercise = fake.exercise("90.1")
    assert combine(exercise, [exercise.right(), HALF]) == HALF
    assert combine(exercise, []).reason == "no-cases"


def test_a_view_escapes_what_the_learner_wrote(fake: Registry) -> None:
    exercise = fake.exercise("90.1")
    html = CheckView(exercise, exercise.wrong("x", "<script>", schedule="<b>"))._repr_html_()
    assert "<script>" not in html and "<b>&lt;b&gt;" not in html and "&lt;script&gt;" in html
    assert 'data-ok="false"' in html


def test_progress_that_cannot_be_stored_does_not_hide_the_verdict(
    fake: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SHAREDSTATE_MY_LABS", str(tmp_path / "file" / "below"))
    assert check("90.2", ["alice", "mallory"], registry=fake).ok
    assert "could not be stored" in capsys.readouterr().out
