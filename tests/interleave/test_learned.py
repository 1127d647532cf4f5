"""Threads that are learned: the same result as with runs of the code, and refused where it could be another one.

Every comparison runs a program both ways. The refusals are shown to be needed: without the one that matters most,
an outcome is lost.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import programs
import pytest
from hypothesis import given, settings
from test_brute_force import CHECK, PROGRAMS, RELAXED, THREE, TWO, scenario

from sharedstate.interleave import Scenario, unseen
from sharedstate.interleave.execution import SetupNotReset
from sharedstate.interleave.learned import Book, Refused
from sharedstate.interleave.played import LearnedCourse

PLANS = (
    {"strategy": "dpor"}, {"strategy": "all"}, {"strategy": "preemptions", "preemptions": 1},
    {"strategy": "random", "executions": 40, "seed": 3}, {"strategy": "pct", "executions": 40, "seed": 3},
)  # fmt: skip


@contextlib.contextmanager
def by_code() -> Iterator[None]:
    """Nothing is learned: every execution runs the code."""

    def refuse(self: Book, course: Any, schedule: list[int]) -> None:
        raise Refused("not in this test")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Book, "learn", refuse)
        yield


@contextlib.contextmanager
def counting() -> Iterator[dict[str, int]]:
    """Count the schedules that are played and those that give up learning."""
    seen = {"played": 0, "refused": 0}
    finish, learn = LearnedCourse.finish, Book.learn

    def played(self: LearnedCourse) -> Any:
        seen["played"] += 1
        return finish(self)

    def refusing(self: Book, course: Any, schedule: list[int]) -> Any:
        try:
            return learn(self, course, schedule)
        except Refused:
            seen["refused"] += 1
            raise

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LearnedCourse, "finish", played)
        patch.setattr(Book, "learn", refusing)
        yield seen


def seen(room: Scenario, plan: dict[str, Any]) -> tuple:
    """Everything that a user can see of a result."""
    result = room.explore(**plan)
    minimal = result.minimal
    return (
        result.verdict, result.coverage, result.executions, result.outcomes, dict(result.counts), result.assumptions,
        result.funnel(), minimal and (minimal.token, minimal.schedule, minimal.confirmed),
    )  # fmt: skip


def same(make: Callable[[], Scenario], plans: tuple = PLANS) -> None:
    """The result is the same both ways."""
    for plan in plans:
        with by_code():
            code = seen(make(), plan)
        assert seen(make(), plan) == code, plan


@pytest.mark.parametrize("name", PROGRAMS)
def test_named_program(name: str) -> None:
    threads = PROGRAMS[name]
    same(lambda: scenario(threads, lambda state, answers: state.x == 1))


@pytest.mark.parametrize("name", [n for n in vars(programs) if n.endswith("Checker")])
def test_a_checker(name: str) -> None:
    made = getattr(programs, name)
    same(
        lambda: Scenario(
            setup=lambda: made("s3cret"),
            threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
            never=lambda state, answers: answers["mallory"],
        ),
        PLANS[:3],
    )


@settings(max_examples=40, derandomize=True, **RELAXED)
@given(TWO)
def test_generated_programs(threads: list[list]) -> None:
    same(lambda: scenario(threads), PLANS[:2])


@settings(max_examples=6, derandomize=True, **RELAXED)
@given(THREE)
def test_generated_programs_of_three_threads(threads: list[list]) -> None:
    same(lambda: scenario(threads), PLANS[:1])


@pytest.mark.exhaustive
@settings(max_examples=500, **RELAXED)
@given(TWO)
def test_many_generated_programs(threads: list[list]) -> None:
    same(lambda: scenario(threads), PLANS[:3])


@pytest.mark.exhaustive
@settings(max_examples=60, **RELAXED)
@given(THREE)
def test_many_generated_programs_of_three_threads(threads: list[list]) -> None:
    same(lambda: scenario(threads), PLANS[:1])


def test_the_code_is_run_a_few_times_only() -> None:
    """1,296 classes of three visitors, from few runs of the code."""
    room = scenario([CHECK["right"], CHECK["wrong"], CHECK["wrong"]])
    runs, make = [0], room._engine.make

    def counted(record: bool = False) -> Any:
        runs[0] += 1
        return make(record)

    room._engine.make = counted
    with counting() as seen_:
        result = room.explore("dpor")
    assert (result.executions, seen_) == (1296, {"played": 1296, "refused": 0})
    assert runs[0] < 1296 / 4


# -- refused -----------------------------------------------------------------------------------------------


class Box:
    """State that a thread may touch in many ways."""

    shown = 7

    def __init__(self) -> None:
        self.n, self.flag, self.items, self.ratio = 0, False, [1], 0.5
        self.rlock, self.local = threading.RLock(), threading.local()
        self.noise = random.Random(1)


class Compared(Box):
    """A box that is compared by its number."""

    def __le__(self, most: int) -> bool:
        return self.n <= most


def up(box: Box) -> None:
    """One more."""
    box.n += 1


def wait_loop(box: Box) -> int:
    """Waits for another thread."""
    while box.n == 0:
        pass
    return box.n


def appends(box: Box) -> int:
    """Changes a container."""
    box.items.append(2)
    return len(box.items)


def makes(box: Box) -> int:
    """Makes an object of its own and shares it."""
    box.items = [box.n]
    return box.n


def nested(box: Box) -> int:
    """An RLock is counted."""
    with box.rlock:
        box.n += 1
    return box.n


def keeps(box: Box) -> int:
    """Its own copy."""
    box.local.n = box.n
    return box.local.n


def draws(box: Box) -> float:
    """Asks a generator that is shared."""
    return box.noise.random()


def reads_the_class(box: Box) -> int:
    """A class attribute, until somebody writes the field."""
    box.shown = box.shown + 1
    return box.shown


def fails(box: Box) -> None:
    """A field that is not there."""
    return box.missing


def starts(box: Box) -> None:
    """A thread of its own."""
    child = threading.Thread(target=up, args=(box,))
    child.start()
    child.join()


def looks_at_the_clock(box: Box) -> int:
    """Two calls give two answers."""
    box.n = 1 if time.perf_counter_ns() else 2
    return box.n


UNUSUAL = (
    wait_loop, appends, makes, nested, keeps, draws, reads_the_class, fails, starts, looks_at_the_clock,
)  # fmt: skip


@pytest.mark.parametrize("body", UNUSUAL, ids=lambda body: body.__name__)
def test_what_is_not_learned_is_run(body: Callable) -> None:
    """Refused, and the result is that of the code."""
    plans = PLANS[:2]
    for plan in plans:
        with by_code():
            code = seen(Scenario(setup=Box, threads={"a": body, "b": up}), plan)
        with counting() as seen_:
            assert seen(Scenario(setup=Box, threads={"a": body, "b": up}), plan) == code
        assert seen_["refused"]


def compares(box: Compared) -> bool:
    """Compares the box after a first step: its field is read, and nobody sees it."""
    box.flag = True
    return box <= 0


def test_a_read_that_nobody_sees_is_not_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learned, one of its outcomes would be lost."""

    def outcomes() -> frozenset:
        return Scenario(setup=Compared, threads={"judge": compares, "other": up}).explore("all").outcomes

    with by_code():
        code = outcomes()
    assert {answers[0] for answers, _ in code} == {True, False}
    assert outcomes() == code
    monkeypatch.setattr(unseen, "special", lambda cls: False)
    assert outcomes() != code


def hashes(box: Box) -> int:
    """A call of code that is not followed, in a thread that does nothing else of note."""
    box.flag = True
    return len(os.urandom(4))


def test_code_that_may_answer_differently_is_not_learned() -> None:
    with counting() as seen_:
        Scenario(setup=Box, threads={"a": hashes, "b": up}).explore("all")
    assert seen_["refused"]


def collects(box: Box) -> list[int]:
    """Containers and objects of its own, and a loop that counts."""
    found, turns = [], 0
    while turns < 3:
        found.append(box.n)
        turns += 1
    return sorted(found, reverse=True)


def test_what_a_thread_does_for_itself_is_learned() -> None:
    same(lambda: Scenario(setup=Box, threads={"a": collects, "b": up}), PLANS[:3])
    with counting() as seen_:
        Scenario(setup=Box, threads={"a": collects, "b": up}).explore("all")
    assert seen_["played"]
    assert not seen_["refused"]


def test_code_that_is_not_deterministic_is_still_caught() -> None:
    count = itertools.count()

    def changing(box: Box) -> int:
        box.n = next(count)
        return box.n

    result = Scenario(setup=Box, threads={"a": changing, "b": up}).explore("dpor")
    assert result.verdict == "not deterministic"


def test_a_setup_that_does_not_reset_is_still_caught() -> None:
    box = Box()
    with pytest.raises(SetupNotReset, match=r"Box\.n"):
        Scenario(setup=lambda: box, threads={"a": up, "b": up}).explore("dpor")


@pytest.mark.parametrize(
    "values", [(1, True), (1, 1.0), (0.0, -0.0), (0, False), ("", None), (b"a", "a"), (10**30, 10**30 + 1)]
)
def test_values_that_are_alike_are_told_apart(values: tuple) -> None:
    """Equal in Python, or nearly so, and yet another answer."""

    def first(box: Box) -> None:
        box.n = values[0]

    def second(box: Box) -> None:
        box.n = values[1]

    def reads(box: Box) -> str:
        return repr(box.n)

    result = Scenario(setup=Box, threads={"a": first, "b": second, "c": reads}).explore("dpor")
    assert {answers[2] for answers, _ in result.outcomes} == {"0", *map(repr, values)}


def test_code_that_changes_between_two_explorations_is_seen() -> None:
    """What was learned is not kept."""
    names: dict[str, Any] = {"step": up}

    def counts(box: Box) -> int:
        names["step"](box)
        return box.n

    def twice(box: Box) -> None:
        box.n += 2

    room = Scenario(setup=Box, threads={"a": counts, "b": lambda box: None})
    assert {answers[0] for answers, _ in room.explore().outcomes} == {1}
    names["step"] = twice
    assert {answers[0] for answers, _ in room.explore().outcomes} == {2}


def test_giving_up_on_the_way_begins_anew() -> None:
    """The branch that cannot be learned comes late: nothing of the first attempt is kept."""

    def branches(box: Box) -> int:
        if box.flag:
            box.items.append(3)
        return box.n

    def raises_flag(box: Box) -> None:
        box.n = 5
        box.flag = True

    def make() -> Scenario:
        return Scenario(setup=Box, threads={"a": branches, "b": raises_flag}, observe=lambda box: len(box.items))

    same(make)
    with counting() as seen_:
        make().explore("all")
    assert seen_["refused"]


def test_a_lock_given_back_by_somebody_else() -> None:
    """The other thread's release opens it; if nobody holds it, the code's own error is the answer."""

    class Door:
        def __init__(self) -> None:
            self.lock, self.n = threading.Lock(), 0

    def enters(door: Door) -> int:
        door.lock.acquire()
        door.n += 1
        return door.n

    def opens(door: Door) -> None:
        door.lock.release()

    same(lambda: Scenario(setup=Door, threads={"a": enters, "b": opens, "c": enters}), PLANS[:2])


def test_the_rank_of_a_search_survives_a_refusal() -> None:
    """A player's solution counts switches, also where the code cannot be learned."""
    room = Scenario(setup=Box, threads={"a": appends, "b": appends}, never=lambda box, answers: answers["a"] == 3)
    session = room.session()
    try:
        names = session.solution()
    finally:
        session.close()
    assert names is not None
    assert sum(a != b for a, b in itertools.pairwise(names)) == 1


def test_a_tree_that_mixes_up_values_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison is shown to fail: every value has the same number."""
    monkeypatch.setattr(Book, "_number", lambda self, run, value: 1)
    caught = []
    for name, threads in PROGRAMS.items():
        try:
            same(lambda threads=threads: scenario(threads), PLANS[:2])
        except AssertionError:
            caught.append(name)
    assert caught
