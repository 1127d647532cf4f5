"""Lab 10: every exercise's judge says the right thing, whatever it is sent."""

from __future__ import annotations

import pytest

from sharedstate.checks import Registry, assess, audit, exercise, exercises
from sharedstate.checks.audit import Bank

from .forged import first_right

BANKS: dict[str, Bank] = {room.id: audit.read_bank(room) for room in Registry().rooms("10")}
SHRUNK = {"left": [5], "calls": 9, "empty": False}
JUNK = (
    None, True, 7, "yes", [99], [None] * 3, [[[], 3]], {}, {**SHRUNK, "left": None}, {**SHRUNK, "calls": "9"},
    {**SHRUNK, "left": [[5]]}, {**SHRUNK, "left": []}, ["alice"], [["a", "b"]], [[1, 2, 3]], {"verdict": "proved"},
)  # fmt: skip
each = pytest.mark.parametrize("one", exercises("10"), ids=lambda one: one.id)



@each
@pytest.mark.parametrize("value", JUNK, ids=lambda value: repr(value)[:40])
def test_no_value_that_a_child_may_send_is_accepted_or_breaks_the_judge(one: object, value: object) -> None:
    for case in one.cases(3):
        assert not one.judge(case, value).ok


@pytest.mark.parametrize("name", ["10.1", "10.2", "10.3"])  # the explorer wants the source of the fourth: see the bank
@pytest.mark.parametrize("seed", range(3))
def test_a_right_answer_is_right_for_every_seed(name: str, seed: int) -> None:
    one = exercise(name)
    verdict = assess(one, first_right(BANKS[name]), seed)
    assert verdict.ok and verdict.points == one.points, verdict


@pytest.mark.parametrize("name", BANKS)
def test_a_function_that_returns_nothing_is_called_untouched(name: str) -> None:
    assert assess(exercise(name), lambda *given: None).reason == "untouched"


def test_a_loop_without_an_end_is_stopped_by_the_questions() -> None:
    def asks_for_ever(parts: list, fails: object) -> list:
        while fails(parts):
            pass
        return parts

    verdict = assess(exercise("10.3"), asks_for_ever, 0)
    assert verdict.reason == "too-many-questions"


def test_a_regression_test_that_was_never_seen_to_fail_is_told_so() -> None:
    verdict = assess(exercise("10.4"), lambda shop: "proved", 0)
    assert verdict.reason == "passes-before-the-fix" and "never seen to fail" in verdict.message
