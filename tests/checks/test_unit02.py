"""Lab 02: untouched answers, cases as plain data, judges against values that a child may send."""

from __future__ import annotations

import re
from contextlib import ExitStack

import pytest

from sharedstate.checks import Case, Registry, assess, exercise, exercises
from sharedstate.checks.asking import AsksTheExplorer
from sharedstate.checks.bank import load_answer
from sharedstate.checks.scenarios import mallory_at

FIXES, TASKS, ORDER = (Registry().room(name).module() for name in ("02.1", "02.3", "02.6"))
HALVES = exercise("02.2").checkers
JUNK = (
    None, True, 7, "yes", [], [1], ["a"] * 100, {}, {"verdict": 1, "schedule": None},
    {"verdict": "broken", "schedule": 3}, {"verdict": "deadlock", "schedule": None}, {"price": 1, "print": False},
    {"verdict": "ran out", "schedule": None}, {"price": True, "print": False}, [True, 1, 2], ["one by one"],
)  # fmt: skip
FILES = r"check\.py|<lab"
PASSES = pytest.mark.parametrize("one", exercises("02"), ids=lambda one: one.id)


@PASSES
def test_cases_travel_as_plain_data(one: object) -> None:
    assert 1 <= sum(case.visible for case in one.cases(7)) <= 2
    assert all(Case.from_json(case.to_json()) == case for case in one.cases(7))


@PASSES
def test_hidden_cases_vary_with_the_seed(one: object) -> None:
    drawn = [one.cases(seed) for seed in range(12)]
    assert isinstance(one, AsksTheExplorer) or any(cases != drawn[0] for cases in drawn)


@PASSES
@pytest.mark.parametrize("value", JUNK, ids=repr)
def test_no_value_that_a_child_may_send_is_accepted_or_breaks_the_judge(one: object, value: object) -> None:
    assert not any(one.judge(case, value).ok for case in one.cases(3))


@pytest.mark.parametrize("name", HALVES)
def test_every_half_fix_is_broken_with_two_switches(name: str) -> None:
    found = mallory_at(HALVES[name], "word1", "guess").explore("dpor")
    assert found.verdict == "broken" and found.minimal.switches == 2 and found.minimal.confirmed


def test_a_lock_that_is_never_given_back_is_a_deadlock_of_the_explorer_not_of_the_check() -> None:
    import threading

    class Stuck:
        def __init__(self, correct: str) -> None:
            self.correct, self.lock = correct, threading.Lock()

        def check(self, word: str) -> bool:
            self.lock.acquire()
            return word == self.correct

    assert assess(exercise("02.1"), dict.fromkeys(FIXES.WAYS, Stuck), 1).reason in ("deadlock", "still-races")


NO_LOCKS = """
def transfer(source, target, amount):
    if source.balance < amount:
        return False
    source.balance -= amount
    target.balance += amount
    return True
"""
EMPTY = {
    "02.3": type("TaskStore", (), {}), "02.4": lambda mine, user, job: None, "02.5": type("Till", (), {}),
    "02.6": lambda source, target, amount: None,
}


@pytest.mark.parametrize("name", EMPTY)
def test_an_empty_class_or_function_is_called_untouched(name: str) -> None:
    assert assess(exercise(name), EMPTY[name], 1).reason == "untouched"


def test_a_request_that_runs_the_job_and_says_nothing_is_not_called_untouched() -> None:
    def request(mine: object, user: object, job: object) -> None:
        mine.user = user
        job()

    assert assess(exercise("02.4"), request, 1).reason == "wrong-user"


@pytest.mark.parametrize(("words", "reason", "said"), [
    (["mallory*4", "alice*4", "mallory*"], "unfinished", "left standing"),
    (["mallory*4", "alice*5", "mallory*", "alice*"], "not-minimal", "2 are enough"),
    (["malory*4", "alice*", "mallory*"], "bad-word", "nobody here is called 'malory'"),
    (["mallory writes"], "bad-word", "'mallory writes' is no word"),
])
def test_the_half_fix_of_the_lab_is_judged_like_the_others(words: list, reason: str, said: str) -> None:
    one = exercise("02.2")
    verdict = one.judge(one.cases(1)[0], words)
    assert verdict.reason == reason and said in verdict.message
    assert not re.search(FILES, verdict.schedule or "")


def test_a_schedule_names_no_file_of_the_check() -> None:
    verdict = assess(exercise("02.6"), load_answer(NO_LOCKS, "no locks", "transfer"), 1)
    assert verdict.reason == "money-lost" and "the check" in verdict.schedule
    assert not re.search(FILES, verdict.schedule)


def test_tasks_take_turns_in_every_order_on_a_real_loop() -> None:
    assert len(set(TASKS.orders(("ann", "ben")))) == len([*TASKS.orders(("ann", "ben"))]) == 20
    assert len({*TASKS.orders(("ann", "ben", "cy"))}) == 90


def test_an_order_by_place_in_memory_is_never_by_chance_the_auditors() -> None:
    accounts = ORDER.opened([1, 2, 3])()
    assert sorted(accounts, key=id) == accounts[::-1] == sorted(accounts, key=lambda a: id(a.lock))
    assert [a.number for a in accounts] == sorted(a.number for a in accounts)
    assert [a.number for a in accounts] != sorted((a.number for a in accounts), key=str)


STACKED = """
{how}
def transfer(source, target, amount):
    with {name}() as stack:
        for account in {order}:
            stack.enter_context(account.lock)
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True
"""
BY_NUMBER = "sorted({source, target}, key=lambda one: one.number)"
HOW = "from contextlib import ExitStack", "ExitStack"


@pytest.mark.parametrize(("how", "name", "order", "reason"), [
    (*HOW, BY_NUMBER, "ok"), (*HOW, "(source, target)", "deadlock"),
    ("import contextlib", "contextlib.ExitStack", BY_NUMBER, "not-followed"),
])
def test_an_exit_stack_is_followed_or_gets_a_word_of_its_own(how: str, name: str, order: str, reason: str) -> None:
    transfer = load_answer(STACKED.format(how=how, name=name, order=order), f"{name} {order}", "transfer")
    assert assess(exercise("02.6"), transfer, 1).reason == reason
    assert transfer.__globals__.get("ExitStack", ExitStack) is ExitStack
