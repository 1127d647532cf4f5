"""Lab 02: untouched answers, cases as plain data, judges against values that a child may send."""

from __future__ import annotations

import pytest

from sharedstate.checks import Case, assess, exercise, exercises
from sharedstate.checks.unit02_fixes import WAYS
from sharedstate.checks.unit02_schedules import HALVES, room

JUNK = (
    None, True, 7, "yes", [], [1], ["a"] * 100, {}, {"verdict": 1, "schedule": None},
    {"verdict": "broken", "schedule": 3}, {"verdict": "deadlock", "schedule": None}, {"price": 1, "print": False},
    {"verdict": "ran out", "schedule": None}, {"price": True, "print": False}, [True, 1, 2], ["one by one"],
)  # fmt: skip
PASSES = pytest.mark.parametrize("one", exercises("02"), ids=lambda one: one.id)


@PASSES
def test_an_untouched_answer_is_called_untouched(one: object) -> None:
    assert assess(one, ...).reason == "untouched"


@PASSES
def test_cases_travel_as_plain_data(one: object) -> None:
    assert sum(case.visible for case in one.cases(7)) == 1
    assert all(Case.from_json(case.to_json()) == case for case in one.cases(7))


@PASSES
def test_hidden_cases_vary_with_the_seed(one: object) -> None:
    drawn = [one.cases(seed) for seed in range(12)]
    assert any(cases != drawn[0] for cases in drawn)


@PASSES
@pytest.mark.parametrize("value", JUNK, ids=repr)
def test_no_value_that_a_child_may_send_is_accepted_or_breaks_the_judge(one: object, value: object) -> None:
    assert not any(one.judge(case, value).ok for case in one.cases(3))


@pytest.mark.parametrize("name", HALVES)
def test_every_half_fix_is_broken_with_two_switches(name: str) -> None:
    found = room(HALVES[name], "word1").explore("dpor")
    assert found.verdict == "broken" and found.minimal.switches == 2 and found.minimal.confirmed


def test_a_lock_that_is_never_given_back_is_a_deadlock_of_the_explorer_not_of_the_check() -> None:
    import threading

    class Stuck:
        def __init__(self, correct: str) -> None:
            self.correct, self.lock = correct, threading.Lock()

        def check(self, word: str) -> bool:
            self.lock.acquire()
            return word == self.correct

    assert assess(exercise("02.1"), dict.fromkeys(WAYS, Stuck), 1).reason in ("deadlock", "still-races")
