"""Exercise 12.7: how many locks? The finest groups of fields such that no operation needs two of them."""

from __future__ import annotations

from random import Random
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import PlainFunction, SlipTable

Operation = list[list[str]]  # fields that are read, fields that are written


def right_groups(operations: list[Operation]) -> list[list[str]]:
    """Return what the answer should: sorted groups of sorted names."""
    written = {name for _, writes in operations for name in writes}
    groups = [{name} for name in written]
    for reads, writes in operations:
        touched = written & {*reads, *writes}
        joined = set().union(*(group for group in groups if group & touched))
        groups = [group for group in groups if not group & touched] + ([joined] if joined else [])
    return sorted(sorted(group) for group in groups)


class LockGroups(PlainFunction, SlipTable):
    """The answer is lock_groups(operations) -> list of lists of names."""

    id = "12.7"
    title = "How many locks?"
    answer = "lock_groups"
    minutes = 14
    difficulty = 3
    points = 6.0
    given = ("operations",)
    slips = MappingProxyType({
        "two halves": ("too-coarse", "two groups of fields that no operation uses together need two locks."),
        "only ever read": ("locks-constants", "a field that nobody writes needs no lock, and joins nothing."),
        "joined by a constant": ("locks-constants", "two operations that share only a field that nobody writes need no "
                                                    "common lock."),
        "a chain": ("not-joined", "one operation needs a and b, another b and c: all three are one group."),
        "a chain, its middle last": ("not-joined", "two groups that were apart become one when an operation needs "
                                                   "both."),
        "read together": ("forgets-reads", "an operation that only reads a and b must not see one of them old and the "
                                           "other new: they need one lock."),
        "one reads what another writes": ("forgets-reads", "whoever reads a field that is written needs its lock."),
        "alone": ("forgets-the-lonely", "a field that is written, and used with no other, is a group of its own."),
        "nothing": ("wrong-shape", "no operation, no lock: an empty list."),
        "many": ("not-joined", "many operations at once."),
    })

    def cases(self, seed: int) -> list[Case]:
        """The lab's example, then one case for each slip."""
        draw = self.draw(seed)
        return [
            _case("two halves", "| a b, | c d", True),
            _case("two halves", "| a b, | d c, | b, | c"),
            _case("only ever read", "price | a, price | b"),
            _case("only ever read", "price tax |"),
            _case("joined by a constant", "price a | a, price b | b"),
            _case("a chain", "| a b, | b c"),
            _case("a chain, its middle last", "| a b, | c d, | b c"),
            _case("read together", "| a, | b, a b |"),
            _case("one reads what another writes", "a | b, | a"),
            _case("alone", "a | a, | b, | c d"),
            _case("nothing", ""),
            *(_case("many", _drawn(draw)) for _ in range(4)),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Call it; an operation comes as two tuples."""
        operations = [(tuple(reads), tuple(writes)) for reads, writes in case["operations"]]
        found = self.called(answer, case, operations=operations)
        if not isinstance(found, (list, tuple)):
            raise AnswerProblem("wrong-shape", f"lock_groups should return a list, not {type(found).__name__}.")
        return [[*group] if isinstance(group, (list, tuple)) else group for group in found]

    def judge(self, case: Case, value: object) -> Verdict:
        """The groups, in order."""
        if type(value) is not list or not all(map(_names, value)):
            return self.wrong("wrong-shape", "lock_groups should return a list of lists of names.")
        wanted = right_groups(case["operations"])
        if value == wanted:
            return self.right("As many locks as can be, and no operation needs two.")
        before = f"Case '{case.label}': {value[:4]} instead of {wanted[:4]}: "
        if sorted(map(sorted, value)) == wanted:
            return self.wrong("not-sorted", before + "sort the names in a group, and the groups.")
        return self.slip(case, before=before)


def _names(found: object) -> bool:
    return type(found) is list and all(type(name) is str for name in found)


def _drawn(draw: Random) -> str:
    names = "abcdefghijkl"
    rows = [(draw.sample(names, draw.randrange(3)), draw.sample(names, draw.randrange(3))) for _ in range(5)]
    return ", ".join(f"{' '.join(reads)} | {' '.join(writes)}" for reads, writes in rows)


def _case(label: str, text: str, visible: bool = False) -> Case:
    halves = [part.split("|") for part in text.split(",") if part]
    return Case(label, {"operations": [[reads.split(), writes.split()] for reads, writes in halves]}, visible)


EXERCISE = LockGroups()
