"""Exercise 12.1: which accesses can race? Same place, two threads, one of them writes, no lock in common."""

from __future__ import annotations

from itertools import combinations
from random import Random
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import PlainFunction, SlipTable

Access = list[Any]  # who, kind, place, locks


def right_conflicts(accesses: list[Access]) -> list[list[int]]:
    """Return what the answer should: pairs of numbers, in order."""
    return [[i, j] for (i, one), (j, two) in combinations(enumerate(accesses), 2)
            if one[0] != two[0] and one[2] == two[2] and "write" in (one[1], two[1])
            and not set(one[3]) & set(two[3])]


class Conflicts(PlainFunction, SlipTable):
    """The answer is conflicts(accesses) -> list of pairs."""

    id = "12.1"
    title = "Which of these can race?"
    answer = "conflicts"
    minutes = 10
    difficulty = 1
    points = 6.0
    given = ("accesses",)
    slips = MappingProxyType({
        "two writes": ("misses-a-pair", "a write and a write of two threads, and no lock: they race."),
        "a read, then a write": ("misses-a-pair", "a write may come first or second: either pair can race."),
        "not neighbours": ("neighbours-only", "two accesses can race however much stands between them in the list."),
        "two reads": ("two-reads", "two reads change nothing: one of the two must be a write."),
        "one thread": ("one-thread", "one thread does not race with itself."),
        "two places": ("mixes-places", "two places are two things."),
        "a common lock": ("ignores-locks", "both hold the same lock: they cannot happen at the same time."),
        "two locks each": ("needs-equal-locks", "one lock in common is enough, whatever else they hold."),
        "one lock, one side": ("half-locked", "a lock that only one of the two holds protects neither."),
        "a lock each": ("half-locked", "each holds a lock, and it is not the same one: they race."),
        "nothing": ("wrong-shape", "no access, no pair: an empty list."),
        "many": ("misses-a-pair", "a long list, all of it at once."),
    })

    def cases(self, seed: int) -> list[Case]:
        """The lab's example, then one list for each slip, then long ones."""
        draw = self.draw(seed)
        return [
            _case("two writes", "ann w name, bob w name", True),
            _case("a read, then a write", "ann r name, bob w name"),
            _case("a read, then a write", "ann w name, bob r name"),
            _case("two reads", "ann r name, bob r name"),
            _case("not neighbours", "ann w name, ann r seat, bob r seat, bob w name"),
            _case("one thread", "ann w name, ann r name, ann w name"),
            _case("two places", "ann w name, bob w seat"),
            _case("a common lock", "ann w name desk, bob w name desk"),
            _case("two locks each", "ann w name desk door, bob r name door till"),
            _case("one lock, one side", "ann w name desk, bob r name"),
            _case("one lock, one side", "ann w name, bob r name desk"),
            _case("a lock each", "ann w name desk, bob w name door"),
            _case("nothing", ""),
            *(_case("many", _drawn(draw)) for _ in range(4)),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Call it; the accesses come as tuples."""
        accesses = [(who, kind, place, tuple(locks)) for who, kind, place, locks in case["accesses"]]
        found = self.called(answer, case, accesses=accesses)
        if not isinstance(found, (list, tuple)):
            raise AnswerProblem("wrong-shape", f"conflicts should return a list, not {type(found).__name__}.")
        return [[*pair] if isinstance(pair, (list, tuple)) else pair for pair in found]

    def judge(self, case: Case, value: object) -> Verdict:
        """The pairs, in order."""
        if type(value) is not list or not all(map(_pair, value)):
            return self.wrong("wrong-shape", "conflicts should return a list of pairs of numbers.")
        wanted = right_conflicts(case["accesses"])
        if value == wanted:
            return self.right("Every pair that can race, and no other.")
        before = f"Case '{case.label}': {_told(value)} instead of {_told(wanted)}: "
        if sorted(sorted(pair) for pair in value) == wanted:
            return self.wrong("not-in-order", before + "the smaller number first, and the pairs in order.")
        return self.slip(case, before=before)


def _pair(found: object) -> bool:
    return type(found) is list and len(found) == 2 and all(type(number) is int for number in found)


def _told(pairs: list) -> str:
    return ", ".join(f"({i}, {j})" for i, j in pairs[:4]) + ", …" * (len(pairs) > 4) or "no pair"


def _drawn(draw: Random) -> str:
    rows = []
    for _ in range(12):
        locks = " ".join(draw.sample(("desk", "door", "till"), draw.randrange(3)))
        rows.append(f"{draw.choice(('ann', 'bob', 'eve'))} {draw.choice('rw')} {draw.choice(('name', 'seat'))} {locks}")
    return ", ".join(rows)


def _case(label: str, text: str, visible: bool = False) -> Case:
    words = [access.split() for access in text.split(", ") if access]
    accesses = [[who, {"r": "read", "w": "write"}[kind], place, locks] for who, kind, place, *locks in words]
    return Case(label, {"accesses": accesses}, visible)


EXERCISE = Conflicts()
