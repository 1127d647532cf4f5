"""Exercise 12.6: a value is made once for each key, whoever asks at the same time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from sharedstate.checks.scenarios import IMPORTS, Explored, Slip, explored, readable, require_methods
from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.interleave import Scenario

TURN, NONE = "one after the other", "None is a value"
FAILS, FAILED = "the first make fails", "OSError: not there"
SAYS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "two ask for one key": ("made-twice", "Two threads ask for the same key at the same time: make() should run once, "
                                          "and both should get what it returned."),
    "two ask for two keys": ("keys-mixed", "Two threads ask for two keys: each should get the value of its own key."),
    FAILS: ("failure-kept", "The first make() raises. Its caller should get the exception, nothing should be kept, and "
                            "the other caller should make the value."),
})


class Room:
    """One answer's object, and how often each key was made."""

    def __init__(self, kind: type) -> None:
        self.once, self.made = kind(), list[str]()

    def ask(self, key: str, value: object = "new", failing: int = 0) -> object:
        """Ask for a key; what is made is [key, value], or `value` itself where that is not a text. The first `failing`
        times it fails.
        """
        def make() -> object:
            self.made.append(key)
            if len(self.made) <= failing:
                raise OSError("not there")
            return [key, value] if type(value) is str else value

        return self.once.get(key, make)


class OncePerKey(Explored):
    """The answer is a class with get(key, make)."""

    id = "12.6"
    title = "Once for each key"
    answer = "Once"
    minutes = 14
    difficulty = 2
    points = 6.0
    expects = "a class"
    seconds = 20.0
    judge_source = True
    imports = IMPORTS

    def cases(self, seed: int) -> list[Case]:
        """In turn first, then every order; the keys come from the seed."""
        draw = self.draw(seed)
        keys = [f"key{number}" for number in draw.sample(range(100), 2)]
        return [Case(label, {"keys": keys}, label == TURN) for label in (TURN, NONE, *SAYS)]

    def among(self, case: Case) -> bool:
        """Only what is called in turn: the others are explored, which sees what one run leaves to the next."""
        return case.label in (TURN, NONE)

    def run(self, answer: Any, case: Case) -> object:
        """Ask in turn, or let the explorer ask."""
        require_methods(answer, "get")
        if case.label in (TURN, NONE):
            one, two = case["keys"]
            return _in_turn(answer, one, two, "new" if case.label == TURN else None)
        return explored(ROOMS[case.label](answer, *case["keys"]))

    def judge(self, case: Case, value: object) -> Verdict:
        """What was made in turn, then the explorer's verdict."""
        if case.label in (TURN, NONE):
            return self._in_turn(case, value)
        if case.label == FAILS and readable(value) and value["raised"] == FAILED:
            value = {**value, "raised": None}  # one caller gets it, as it should
        slips: Mapping[str, Slip] = {
            "broken": (*SAYS[case.label], 0.0),
            "deadlock": ("deadlock", f"Case '{case.label}': somebody waits for ever. Is the lock given back on every "
                                     "way out, also when make() raises?", 0.0),
        }
        unproved = (f"Case '{case.label}' could not be proved: {{verdict}}. Wait with a lock, and not in a loop.")
        return self.by_verdict(value, "Once for each key, in every order.", slips, ("not-proved", unproved, 0.0),
                               "this class")

    def _in_turn(self, case: Case, value: object) -> Verdict:
        one, two = case["keys"]
        made = [[key, "new"] if case.label == TURN else None for key in (one, one, two)]
        wanted = {"got": made, "made": [one, two]}
        if value == wanted:
            return self.right("Each key is made once.")
        if case.label == NONE:
            return self.wrong("none-is-a-value", "make() may return None, 0 or an empty text. That is a value like any "
                                                 f"other: make it once. Expected {wanted}, got {value}.")
        return self.wrong("wrong-in-turn", "One caller after the other: get() should return what make() returned, and "
                                           f"call it once for each key. Expected {wanted}, got {value}.")


def _in_turn(kind: type, one: str, two: str, value: object) -> object:
    room = Room(kind)
    got = [room.ask(key, value) for key in (one, one, two)]
    if got == [None] * 3 and not room.made:
        raise AnswerProblem("untouched", "get() makes nothing and returns nothing yet.")
    return {"got": got, "made": room.made}


def _same(kind: type, one: str, two: str) -> Scenario:
    calls = {"ann": lambda room: room.ask(one, "ann's"), "bob": lambda room: room.ask(one, "bob's")}
    return Scenario(lambda: Room(kind), calls, never=lambda room, got: len(room.made) != 1 or got["ann"] != got["bob"]
                    or got["ann"] not in ([one, "ann's"], [one, "bob's"]))


def _two(kind: type, one: str, two: str) -> Scenario:
    calls = {"ann": lambda room: room.ask(one), "bob": lambda room: room.ask(two)}
    return Scenario(lambda: Room(kind), calls, never=lambda room, got: got["ann"] != [one, "new"]
                    or got["bob"] != [two, "new"] or sorted(room.made) != sorted([one, two]))


def _fails(kind: type, one: str, two: str) -> Scenario:
    calls = dict.fromkeys(("ann", "bob"), lambda room: room.ask(one, failing=1))

    def wrong(room: Room, got: Mapping[str, object]) -> bool:
        failed = [name for name, found in got.items() if isinstance(found, OSError)]
        return len(failed) != 1 or [one, "new"] not in got.values() or len(room.made) != 2

    return Scenario(lambda: Room(kind), calls, never=wrong, exceptions="answers")


ROOMS: Mapping[str, Callable[[type, str, str], Scenario]] = MappingProxyType({
    "two ask for one key": _same, "two ask for two keys": _two, FAILS: _fails,
})


EXERCISE = OncePerKey()
