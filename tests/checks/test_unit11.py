"""Lab 11: every exercise's judge says the right thing, whatever it is sent."""

from __future__ import annotations

import pytest

from sharedstate.checks import Registry, assess, audit, exercise, exercises
from sharedstate.checks.audit import Bank

from .forged import first_right, variations

BANKS: dict[str, Bank] = {room.id: audit.read_bank(room) for room in Registry().rooms("11")}
SEEN = {"result": [1, "there is none"], "raised": None, "inside": [[True, "Lima"]], "after": {}, "jobs": 1}
JUNK = (
    None, True, 7, "yes", [99], [[0, 0, 0]], [[0.0, 1.0]], [[False, True]], [["ann"]], {}, {**SEEN, "after": None},
    {**SEEN, "inside": []}, {**SEEN, "jobs": True}, {**SEEN, "raised": "no"}, [["adapter"], 1], [None, True],
    [[], "yes"], ["adapter", True], {"verdict": "proved"}, {"kept": {}, "shared": False},
    {"kept": None, "shared": 0},
)  # fmt: skip
each = pytest.mark.parametrize("one", exercises("11"), ids=lambda one: one.id)
CALLED = ("11.1", "11.2", "11.3", "11.5", "11.6")  # the explorer wants the source of the fourth: see the bank


@each
@pytest.mark.parametrize("value", JUNK, ids=lambda value: repr(value)[:40])
def test_no_value_that_a_child_may_send_is_accepted_or_breaks_the_judge(one: object, value: object) -> None:
    for case in one.cases(3):
        assert not one.judge(case, value).ok


@pytest.mark.parametrize("name", CALLED)
def test_a_value_with_one_thing_changed_is_rejected(name: str) -> None:
    one = exercise(name)
    case = next(case for case in one.cases(5) if case.visible)
    value = one.run(first_right(BANKS[name]), case)
    assert one.judge(case, value).ok
    for changed in variations(value):
        assert not one.judge(case, changed).ok, changed


@pytest.mark.parametrize("name", CALLED)
def test_a_right_answer_is_right_for_another_seed(name: str) -> None:
    one = exercise(name)
    verdict = assess(one, first_right(BANKS[name]), 12)
    assert verdict.ok and verdict.points == one.points, verdict


@pytest.mark.parametrize("name", BANKS)
def test_a_function_that_returns_nothing_is_called_untouched(name: str) -> None:
    assert assess(exercise(name), lambda *given: None).reason == "untouched"


def test_whoever_never_cancels_is_told_to() -> None:
    verdict = assess(exercise("11.4"), lambda connection: "proved", 0)
    assert verdict.reason == "forgets-the-cancel" and "cancelled at each of her awaits" in verdict.message


def test_a_service_that_raises_is_judged_by_type_and_text() -> None:
    one = exercise("11.1")
    told = {case.label: one.judge(case, []) for case in one.cases(0)}
    assert {label for label, verdict in told.items() if verdict.ok} == {"echo", "refuser", "no call"}
