"""Lab 12: every exercise's judge says the right thing, whatever it is sent."""

from __future__ import annotations

import pytest

from sharedstate.checks import Registry, assess, audit, exercise, exercises
from sharedstate.checks.audit import Bank
from sharedstate.checks.bank import load_answer

BANKS: dict[str, Bank] = {room.id: audit.read_bank(room) for room in Registry().rooms("12")}
JUNK = (
    None, True, 7, "yes", [99], [None] * 3, [[[], 3]], {}, [["ann", 1]], [True], ["left*", 3], "no", [[0, 1, 2]],
    {"verdict": "proved"}, {"got": [], "made": []}, [0.5], [["a", 1]], {"verdict": "proved", "schedule": 7},
)  # fmt: skip
each = pytest.mark.parametrize("one", exercises("12"), ids=lambda one: one.id)
CALLED = ("12.1", "12.4", "12.7", "12.8")


def loaded(name: str, source: str) -> object:
    """What a source of an exercise's bank defines, after the lab's setup."""
    return load_answer(source, f"bank of {name}", BANKS[name].exercise.answer, BANKS[name].setup)


@each
@pytest.mark.parametrize("value", JUNK, ids=lambda value: repr(value)[:40])
def test_no_value_that_a_child_may_send_is_accepted_or_breaks_the_judge(one: object, value: object) -> None:
    for case in one.cases(3):
        assert not one.judge(case, value).ok


@pytest.mark.parametrize("name", CALLED)
@pytest.mark.parametrize("seed", range(3, 6))
def test_a_right_answer_is_right_for_every_seed(name: str, seed: int) -> None:
    verdict = assess(exercise(name), loaded(name, BANKS[name].right[0].source), seed)
    assert verdict.ok and verdict.points == 6.0, verdict


@pytest.mark.parametrize("name", [*CALLED, "12.5"])
def test_a_function_that_returns_nothing_is_called_untouched(name: str) -> None:
    assert assess(exercise(name), lambda *given: None).reason == "untouched"


def test_an_empty_class_and_one_that_does_nothing_are_called_untouched() -> None:
    assert assess(exercise("12.6"), type("Empty", (), {})).reason == "untouched"
    nothing = {"get": lambda self, key, make: None}
    assert assess(exercise("12.6"), type("Nothing", (), nothing)).reason == "untouched"


def test_a_schedule_with_too_many_switches_earns_half_and_is_told_the_fewest() -> None:
    verdict = assess(exercise("12.3"), ["red", "blue", "red", "blue*", "red*"], 0)
    assert (verdict.reason, verdict.points) == ("not-minimal", 3.0) and "1 would do" in verdict.message


def test_who_stops_too_early_is_told_who_can_go_on() -> None:
    verdict = assess(exercise("12.2"), ["left", "right*4", "left", "right", "left*"], 0)
    assert verdict.reason == "unfinished" and verdict.message.startswith("right can go on")


def test_a_limiter_that_turns_both_away_is_named() -> None:
    late = next(one for one in BANKS["12.5"].wrong if one.reason == "never-too-few")
    verdict = assess(exercise("12.5"), loaded("12.5", late.source), 0)
    assert verdict.message.startswith("GivesWay: you say 'proved', and it is 'broken'.")


def test_a_value_that_was_made_twice_shows_its_schedule() -> None:
    racy = BANKS["12.6"].wrong[0]
    verdict = assess(exercise("12.6"), loaded("12.6", racy.source), 0)
    assert verdict.reason == "made-twice" and "ann" in (verdict.schedule or "")


def test_an_order_of_locks_may_be_any_that_fits() -> None:
    one = exercise("12.8")
    case = next(case for case in one.cases(0) if case.label == "one at a time")
    assert one.judge(case, ["c", "b", "d", "a"]).ok and not one.judge(case, ["d", "c", "b", "a"]).ok


def test_an_impossible_ending_is_named() -> None:
    one = exercise("12.4")
    verdict = one.judge(one.cases(0)[0], [1, 2, 5, 8, 9])
    assert verdict.reason == "impossible-ending" and "9 cannot happen" in verdict.message
