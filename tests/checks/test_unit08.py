"""Lab 08: every exercise's judge says the right thing, whatever it is sent."""

from __future__ import annotations

import pytest

from sharedstate.checks import Registry, assess, audit, exercise, exercises
from sharedstate.checks.audit import Bank

from .forged import first_right, variations

BANKS: dict[str, Bank] = {room.id: audit.read_bank(room) for room in Registry().rooms("08")}
SEEN = {"reads": {}, "ref_cnt": [0], "named": [0], "raised": False}
KEYS = {"counts": [9, 9], "equal": [True, True], "repeats": 2, "again": True}
JUNK = (
    None, True, 7, "yes", [99], [None] * 9, [[[], 3]] * 2, {}, KEYS, {**KEYS, "equal": None}, {**KEYS, "repeats": "2"},
    [SEEN] * 4, [{**SEEN, "reads": None}] * 4, [[[None, 1], [None, 1]]] * 16, [0.5, 0.25], ["a", "b", "c"],
    {"verdict": "proved", "schedule": 7}, {"verdict": None, "schedule": None},
)  # fmt: skip
each = pytest.mark.parametrize("one", exercises("08"), ids=lambda one: one.id)



@each
@pytest.mark.parametrize("value", JUNK, ids=lambda value: repr(value)[:40])
def test_no_value_that_a_child_may_send_is_accepted_or_breaks_the_judge(one: object, value: object) -> None:
    for case in one.cases(3):
        assert not one.judge(case, value).ok


PLAIN = ("08.1", "08.3", "08.4", "08.5", "08.6")


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("seed", range(4))
def test_a_right_answer_is_right_for_every_seed(name: str, seed: int) -> None:
    one = exercise(name)
    verdict = assess(one, first_right(BANKS[name]), seed)
    assert verdict.ok and verdict.points == one.points, verdict


@pytest.mark.parametrize("name", PLAIN)
def test_a_value_with_one_thing_changed_is_rejected(name: str) -> None:
    one = exercise(name)
    case = one.cases(5)[1]
    value = one.run(first_right(BANKS[name]), case)
    assert one.judge(case, value).ok
    for changed in variations(value):
        assert not one.judge(case, changed).ok, changed



@pytest.mark.parametrize("name", ["08.1", "08.3", "08.5"])
def test_a_function_that_returns_nothing_is_called_untouched(name: str) -> None:
    assert assess(exercise(name), lambda *given: None).reason == "untouched"


def test_an_empty_class_and_an_append_that_does_nothing_are_called_untouched() -> None:
    assert assess(exercise("08.2"), type("Empty", (), {})).reason == "untouched"
    assert assess(exercise("08.4"), lambda pool, table, number: None).reason == "untouched"


def test_the_message_says_who_reads_what() -> None:
    def in_place(pool: object, table: dict, number: int) -> None:
        inside = table["length"] % pool.block_size
        if inside == 0:
            table["blocks"].append(pool.take())
        pool.data[table["blocks"][-1]][inside] = number
        table["length"] += 1

    verdict = assess(exercise("08.4"), in_place, 0)
    assert verdict.reason == "overwrites-another"
    assert "append(pool, a, 30): b reads [10, 30] now, and should read [10, 20]" in verdict.message


def test_the_oracle_is_asked_by_the_explorer() -> None:
    one = exercise("08.6")
    race, none = (case for case in one.cases(0) if "lock" in case.inputs)
    answer = first_right(BANKS["08.6"])
    assert one.run(answer, race)["verdict"] == "broken" and one.run(answer, none)["verdict"] == "proved"
    blind = one.run(lambda *books: set(), race)
    assert one.judge(race, blind).reason == "oracle-is-blind"
    accuses = one.run(lambda *books: {1}, none)
    assert one.judge(none, accuses).reason == "false-alarm"
