"""Data of a learner's own module: each access is a step, by whichever name it is reached."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import till

from sharedstate.interleave import Scenario
from sharedstate.interleave.execution import SetupNotReset


def fresh() -> list[Any]:
    """The module as at the beginning."""
    till.reset()
    return []


def up(state: list) -> int:
    """Count through the module."""
    till.total += 1
    return till.total


def slip(state: list) -> int:
    """Append by the length that was read."""
    number = len(till.slips)
    till.slips.append(number)
    return number


def drawer(state: list) -> None:
    """A field of the module's object."""
    till.drawer.n += 1


def clears(state: list) -> None:
    """The module's own function writes the same global."""
    till.reset()


def looks(state: list) -> int:
    """Look twice."""
    return till.total - till.total


def room(first: Callable, second: Callable) -> Scenario:
    """Two threads on the module."""
    threads = {"ann": first, "ben": second}
    return Scenario(fresh, threads, observe=lambda state: (till.total, tuple(till.slips), till.drawer.n))


@pytest.mark.parametrize("body", [up, slip, drawer])
def test_an_update_through_a_module_is_lost(body: Callable) -> None:
    result = room(body, body).explore()
    serial = room(body, lambda state: None).explore()
    assert result.verdict == "proved" and serial.verdict == "proved"
    assert len(result.outcomes) > 1
    assert result.outcomes == room(body, body).explore("all").outcomes


def test_the_module_and_its_own_functions_mean_the_same_variable() -> None:
    for first, second in ((up, clears), (looks, clears), (up, looks)):
        reduced, whole = room(first, second).explore(), room(first, second).explore("all")
        assert reduced.outcomes == whole.outcomes
    assert {answers[0] for answers, _ in room(looks, up).explore().outcomes} == {0, -1}


def test_the_smallest_schedule_names_the_module_and_is_real() -> None:
    never = Scenario(fresh, {"ann": up, "ben": up}, never=lambda state, answers: till.total != 2)
    minimal = never.explore().minimal
    assert minimal.confirmed
    assert {step.target for step in minimal.steps} == {"till.total"}


def test_a_setup_that_leaves_the_module_as_it_is() -> None:
    till.reset()
    with pytest.raises(SetupNotReset, match=r"till\.total"):
        Scenario(list, {"ann": up, "ben": up}).explore()
    till.reset()


def test_a_librarys_constant_is_no_step() -> None:
    def area(state: list) -> float:
        return math.pi * math.tau

    assert Scenario(list, {"ann": area, "ben": area}).explore().coverage == "nothing is shared"


# -- State that library functions keep or change behind a plain call: generators of random numbers, counting in C.


def seeded() -> list:
    """A fresh state; random's hidden generator starts anew as well."""
    random.seed(1)
    return []


DRAWS = {
    "random": lambda state: random.random(),
    "randint": lambda state: random.randint(1, 1_000_000),
    "gauss": lambda state: random.gauss(0, 1),
    "sample": lambda state: tuple(random.sample(range(100), 3)),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_the_hidden_generator_of_random_is_shared(draw: Callable) -> None:
    seeded()
    first = draw([])
    result = Scenario(
        seeded, {"ann": draw, "ben": draw}, never=lambda state, answers: answers["ann"] != first
    ).explore()
    assert result.verdict == "broken" and "missed" not in result.coverage
    assert {answers[0] == first for answers, _ in result.outcomes} == {True, False}


def test_what_a_counter_counts_in_c_is_a_change() -> None:
    threads = {"ann": lambda counts: counts.update("ab"), "ben": lambda counts: counts.update("b")}
    result = Scenario(Counter, threads, never=lambda counts, answers: counts["b"] != 2, observe=list).explore()
    assert result.verdict == "proved"
    assert {seen for _, seen in result.outcomes} == {("a", "b"), ("b", "a")}
