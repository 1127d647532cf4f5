"""Lab 09: every exercise's judge says the right thing, whatever it is sent."""

from __future__ import annotations

import pytest

from sharedstate.checks import Registry, assess, audit, exercise, exercises
from sharedstate.checks.audit import Bank
from sharedstate.checks.bank import load_answer

from .forged import variations

BANKS: dict[str, Bank] = {room.id: audit.read_bank(room) for room in Registry().rooms("09")}
STATE = {"returned": True, "running": [], "waiting": [], "free": [], "ref_cnt": [], "requests": {}}
JUNK = (
    None, True, 7, "yes", [99], [None] * 9, ["leak"] * 4, ["same", 7, "same"], {}, [[["a"]] * 9] * 2, [[None] * 5] * 2,
    {"numbers": [[0.5] * 4] * 3, "moved": False}, {"numbers": [[0.1, 0.2]], "moved": 0}, [2, "knee"], ["2", "machine"],
    {"numbers": None, "moved": True}, [{"state": STATE, "texts": {}}] * 2, [True, "machine"],
    [{"state": {**STATE, "requests": {"a": 7}}, "texts": {}}] * 2, {"verdict": "proved", "schedule": None},
)  # fmt: skip
each = pytest.mark.parametrize("one", exercises("09"), ids=lambda one: one.id)
CALLED = ("09.1", "09.2", "09.3", "09.4", "09.7")


def loaded(name: str, source: str) -> object:
    """What a source of an exercise's bank defines, after the lab's setup."""
    return load_answer(source, f"bank of {name}", BANKS[name].exercise.answer, BANKS[name].setup)


def right(name: str) -> object:
    """The first right answer of an exercise's bank."""
    return loaded(name, BANKS[name].right[0].source)


@each
@pytest.mark.parametrize("value", JUNK, ids=lambda value: repr(value)[:40])
def test_no_value_that_a_child_may_send_is_accepted_or_breaks_the_judge(one: object, value: object) -> None:
    for case in one.cases(3):
        assert not one.judge(case, value).ok


@pytest.mark.parametrize("name", CALLED)
def test_a_value_with_one_thing_changed_is_rejected(name: str) -> None:
    one = exercise(name)
    case = one.cases(5)[4]
    value = one.run(right(name), case)
    assert one.judge(case, value).ok
    for changed in variations(value):
        assert not one.judge(case, changed).ok, changed



@pytest.mark.parametrize("name", ["09.1", "09.2", "09.4", "09.5", "09.6", "09.7"])
def test_a_function_that_returns_nothing_is_called_untouched(name: str) -> None:
    assert assess(exercise(name), lambda *given: None, 0).reason == "untouched"


def test_an_empty_class_and_one_that_does_nothing_are_called_untouched() -> None:
    assert assess(exercise("09.3"), type("Empty", (), {})).reason == "untouched"
    nothing = dict.fromkeys(("__init__", "add", "step", "cancel"), lambda self, *given: None)
    assert assess(exercise("09.3"), type("Nothing", (), nothing)).reason == "untouched"


def test_the_message_says_who_was_overtaken_once_too_often() -> None:
    late = next(one for one in BANKS["09.3"].wrong if one.story == "one more than the patience")
    verdict = assess(exercise("09.3"), loaded("09.3", late.source), 0)
    assert verdict.reason == "patience" and "overtaken 4 times, and its patience is 3" in verdict.message


def test_a_server_cannot_be_told_by_its_name_or_its_class() -> None:
    one, told = exercise("09.5"), set()

    def what_is_it(server: object, texts: list) -> str:
        told.add((server.__name__, type(server).__name__, repr(server.__closure__).count("cell")))
        return "same"

    for case in one.cases(0):
        one.run(what_is_it, case)
    assert len(told) == 1


def test_whoever_asks_about_half_an_ending_is_told_which_half() -> None:
    half = next(one for one in BANKS["09.6"].wrong if one.reason == "forgets-the-blocks")
    verdict = assess(exercise("09.6"), loaded("09.6", half.source), 0)
    assert verdict.message.startswith("KeepsBlocks: you say 'proved', and it is 'broken'.")
