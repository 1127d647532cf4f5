"""State that library functions keep or change behind a plain call: generators of random numbers, counting in C."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from sharedstate.interleave import Scenario


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
