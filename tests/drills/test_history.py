"""The timed mode's file: times come in from outside, nothing is lost, and a damaged file is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sharedstate.drills import DrillBook, DrillError, drill
from sharedstate.drills.history import score_of
from sharedstate.progress import Progress, ProgressTooNew

ONE, CODE = drill("D01"), drill("D07")
BEGIN = 1_000_000.0


def done(earned: list[int], seconds: float = 60.0, hints: int = 0) -> DrillBook:
    """Return a fresh book after one try at D01."""
    book = DrillBook.load()
    book.start(ONE, BEGIN)
    for _ in range(hints):
        book.hint(ONE)
    book.stop(ONE, BEGIN + seconds)
    book.score(ONE, earned, BEGIN + seconds + 500)
    return book


def test_a_try_is_kept_with_its_time_hints_and_score(my_labs: Path) -> None:
    done([1, 2, 3], 299.9, hints=2)
    one, = DrillBook.load().tries
    assert (one.drill, one.seconds, one.hints, one.earned, one.late) == ("D01", 299.9, 2, (1, 2, 3), False)
    assert one.score == ONE.points([1, 2, 3]) - 2 == 5
    assert DrillBook.load().running is None and (my_labs / "drills.json").is_file()


@pytest.mark.parametrize(("seconds", "late"), [(300.0, False), (300.1, True)])
def test_a_second_past_the_limit_is_late(seconds: float, late: bool) -> None:
    assert done([1], seconds).tries[0].late is late


def test_the_clock_runs_until_it_is_stopped_and_not_while_the_rubric_is_read() -> None:
    book = DrillBook.load()
    book.start(ONE, BEGIN)
    assert book.running is not None and book.running.seconds(BEGIN + 30) == 30
    assert book.running.seconds(BEGIN - 30) == 0, "a clock that was set back"
    book.stop(ONE, BEGIN + 40)
    book.stop(ONE, BEGIN + 90)
    running = DrillBook.load().running
    assert running is not None and running.seconds(BEGIN + 1000) == 40


def test_hints_come_in_order_and_never_make_a_score_negative() -> None:
    book = DrillBook.load()
    book.start(ONE, BEGIN)
    assert [book.hint(ONE), book.hint(ONE)] == [*ONE.hints]
    with pytest.raises(DrillError, match="no more hints"):
        book.hint(ONE)
    assert score_of(ONE, [], 2) == 0 and score_of(ONE, [1, 2, 3, 4], 2) == 8


def test_what_does_not_fit_is_refused_and_changes_nothing() -> None:
    book = DrillBook.load()
    with pytest.raises(DrillError, match="no drill is"):
        book.hint(ONE)
    book.start(ONE, BEGIN)
    with pytest.raises(DrillError, match="D01 is not done"):
        book.start(CODE, BEGIN)
    with pytest.raises(DrillError, match="still runs"):
        book.score(ONE, [1], BEGIN)
    with pytest.raises(DrillError, match=r"D07 is not running \(D01 is\)"):
        book.stop(CODE, BEGIN)
    book.stop(ONE, BEGIN + 5)
    with pytest.raises(DrillError, match="too late"):
        book.hint(ONE)
    with pytest.raises(ValueError, match="rows 1 to 4"):
        book.score(ONE, [9], BEGIN)
    assert DrillBook.load().running is not None and not DrillBook.load().tries
    book.drop(ONE)
    assert DrillBook.load().running is None and not DrillBook.load().tries


def test_the_checks_own_row_counts_only_when_the_lab_has_accepted_an_answer() -> None:
    book = DrillBook.load()
    book.start(CODE, BEGIN)
    book.stop(CODE, BEGIN + 60)
    with pytest.raises(DrillError, match=r"no answer to 12\.1"):
        book.score(CODE, [1, 2], BEGIN)
    Progress.load().record_attempt("12.1", False, 0.0, "misses-a-pair")
    with pytest.raises(DrillError, match=r"no answer to 12\.1"):
        book.score(CODE, [1, 2], BEGIN)
    Progress.load().record_attempt("12.1", True, 6.0, "ok")
    assert book.score(CODE, [1, 2], BEGIN).score == 8


def test_two_notebooks_with_one_file_lose_no_try() -> None:
    first, second = DrillBook.load(), DrillBook.load()
    for book, one in ((first, "D01"), (second, "D02"), (first, "D03")):
        book.start(drill(one), BEGIN)
        book.stop(drill(one), BEGIN + 1)
        book.score(drill(one), [1], BEGIN + 1)
    assert [one.drill for one in DrillBook.load().tries] == ["D01", "D02", "D03"]


def test_the_best_try_counts() -> None:
    done([1])
    done([1, 2, 3, 4])
    best = done([2]).best("D01")
    assert best is not None and best.score == 10 and DrillBook.load().best("D02") is None
    assert [one.score for one in DrillBook.load().tries] == [2, 10, 3]


@pytest.mark.parametrize("text", [
    "{", "[]", '{"schema": 1}', '{"schema": 1, "running": {}, "tries": {"1": {}}}',
    '{"schema": 1, "running": {"D01": {"began": "x", "ended": null, "hints": 0}}, "tries": {}}',
])
def test_a_damaged_file_is_kept_and_a_new_one_begins(my_labs: Path, text: str) -> None:
    my_labs.mkdir()
    (my_labs / "drills.json").write_text(text)
    (my_labs / "progress.json").write_text('{"mine": 1}')
    book = DrillBook.load()
    kept, = my_labs.glob("drills-damaged-*.json")
    assert kept.read_text() == text and kept.name in book.notice and book.notice.startswith("drills.json was damaged")
    assert len(done([1]).tries) == 1 and (my_labs / "progress.json").read_text() == '{"mine": 1}'


def test_a_file_of_a_newer_course_is_left_alone(my_labs: Path) -> None:
    my_labs.mkdir()
    newer = json.dumps({"schema": 99})
    (my_labs / "drills.json").write_text(newer)
    with pytest.raises(ProgressTooNew, match=r"drills\.json was written by a newer"):
        DrillBook.load()
    assert (my_labs / "drills.json").read_text() == newer


def test_a_change_that_fails_while_it_is_written_leaves_the_old_file(
    my_labs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = done([1, 2])
    before = (my_labs / "drills.json").read_text()

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("sharedstate.files.os.replace", full)
    with pytest.raises(OSError, match="no space"):
        book.start(ONE, BEGIN)
    assert (my_labs / "drills.json").read_text() == before and [*my_labs.glob(".drills*")] == []
