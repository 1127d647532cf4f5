"""Programs that reach shared state by unusual ways: the reduced search finds what all interleavings find."""

from __future__ import annotations

import collections
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from sharedstate.interleave import Scenario

Body = Callable[[Any], Any]


class Box:
    """A number, and two locks."""

    def __init__(self) -> None:
        self.n = 0
        self.rlock, self.lock = threading.RLock(), threading.Lock()

    def nested(self) -> int:
        """Count under an RLock taken twice; answer outside of it."""
        with self.rlock, self.rlock, self.lock:
            self.n += 1
        return self.n


class LookedUp:
    """Its number is found by __getattr__."""

    def __init__(self) -> None:
        self.fields = {"n": 0}

    def __getattr__(self, name: str) -> int:
        if name == "fields":
            raise AttributeError(name)
        return self.fields[name]

    def up(self) -> int:
        """Read by one way, write by another."""
        self.fields["n"] = self.n + 1
        return self.n


class Doubled:
    """A descriptor in Python that keeps its number elsewhere."""

    def __get__(self, thing: Any, owner: type | None = None) -> int:
        return thing.kept[0]

    def __set__(self, thing: Any, value: int) -> None:
        thing.kept[0] = value


class Described:
    """Its number is a descriptor's."""

    n = Doubled()

    def __init__(self) -> None:
        self.kept = [0]

    def up(self) -> int:
        """Write by the descriptor, read past it."""
        self.n = self.kept[0] + 1
        return self.kept[0]


class Making(dict):
    """A dictionary that makes what is missing."""

    def __missing__(self, key: str) -> list:
        self[key] = []
        return self[key]


def by_dict(box: Box) -> int:
    box.__dict__["n"] = box.__dict__["n"] + 1
    return box.n


def by_vars(box: Box) -> int:
    fields = vars(box)
    fields["n"] = fields["n"] + 1
    return box.n


def appends(table: dict) -> int:
    table["key"].append(1)
    return len(table["key"])


PROGRAMS: dict[str, tuple[Callable[[], Any], Body, set]] = {
    "__dict__": (Box, by_dict, {(1, 1), (1, 2), (2, 1), (2, 2)}),
    "vars": (Box, by_vars, {(1, 1), (1, 2), (2, 1), (2, 2)}),
    "__getattr__": (LookedUp, LookedUp.up, {(1, 1), (1, 2), (2, 1), (2, 2)}),
    "a descriptor": (Described, Described.up, {(1, 1), (1, 2), (2, 1), (2, 2)}),
    "an RLock taken twice": (Box, Box.nested, {(1, 2), (2, 1), (2, 2)}),
    "a defaultdict": (lambda: collections.defaultdict(list), appends, {(1, 2), (2, 1), (2, 2)}),
    "__missing__": (Making, appends, {(0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)}),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_reduced_search_loses_no_outcome(name: str) -> None:
    setup, body, answers = PROGRAMS[name]
    room = Scenario(setup, {"a": body, "b": body}, never=lambda state, found: set(found.values()) == {1})
    whole, reduced = room.explore("all"), room.explore("dpor")
    assert {found for found, _ in whole.outcomes} == answers
    assert reduced.outcomes == whole.outcomes
    assert reduced.verdict == whole.verdict == ("broken" if (1, 1) in answers else "proved")


class Purse:
    """Adds in place, and is a new object under plus."""

    def __init__(self, coins: int) -> None:
        self.coins = coins

    def __iadd__(self, coins: int) -> Purse:
        self.coins = self.coins + coins
        return self

    def __add__(self, coins: int) -> Purse:
        raise AssertionError("`+=` is not `+`")


class Owner:
    """Holds a purse."""

    def __init__(self) -> None:
        self.purse = Purse(0)

    def earn(self) -> None:
        """Add a coin in place."""
        self.purse += 1


@pytest.mark.parametrize("strategy", ["all", "dpor"])
def test_adding_in_place_is_followed_into_the_learners_method(strategy: str) -> None:
    result = Scenario(Owner, {"a": Owner.earn, "b": Owner.earn}, observe=lambda o: o.purse.coins).explore(strategy)
    assert {seen for _, seen in result.outcomes} == {1, 2}
    assert {answers for answers, _ in result.outcomes} == {(None, None)}


class Cache:
    """Looks at a thing without holding it."""

    def __init__(self) -> None:
        self.thing: Box | None = Box()
        self.seen = weakref.ref(self.thing)


def test_a_weak_reference_qualifies_the_verdict_since_nothing_dies_here() -> None:
    def drop(cache: Cache) -> None:
        cache.thing = None

    result = Scenario(Cache, {"a": drop, "b": lambda cache: cache.seen() is None}).explore()
    assert result.verdict == "proved if"
    assert any("none dies" in text for text in result.assumptions)


class Named:
    """Changes as it is shown."""

    def __init__(self) -> None:
        self.n = 0

    def __str__(self) -> str:
        self.n += 1
        return str(self.n)


def test_a_conversion_to_text_that_runs_python_is_followed() -> None:
    room = Scenario(Named, {"a": str, "b": lambda thing: str(thing)}, never=lambda s, found: s.n != 2)
    result = room.explore()
    assert (result.verdict, result.assumptions) == ("broken", ())
