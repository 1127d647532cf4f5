"""Data of a learner's own module: each access is a step, by whichever name it is reached."""

from __future__ import annotations

import math
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
