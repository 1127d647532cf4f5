"""Exercise 08.6: the oracle of two books, and the explorer that asks it."""

from __future__ import annotations

import threading
from types import MappingProxyType
from typing import Any

from sharedstate.checks.scenarios import explored, readable
from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import PlainFunction, SlipTable
from sharedstate.interleave import Scenario


class Shared:
    """An allocator of one block, which Alice uses and Bob finds in the prefix index; with a lock, or without."""

    def __init__(self, lock: bool) -> None:
        self.free: list[int] = []
        self.ref_cnt, self.tables = [0, 1], {"alice": [1], "bob": []}
        self.lock = threading.Lock() if lock else None

    def leave(self) -> None:
        """Alice goes."""
        if self.lock is None:
            self._leave()
        else:
            with self.lock:
                self._leave()

    def _leave(self) -> None:
        self.tables["alice"] = []
        self.ref_cnt[1] -= 1
        if self.ref_cnt[1] == 0:
            self.free.append(1)

    def find(self) -> None:
        """Bob comes."""
        if self.lock is None:
            self._find()
        else:
            with self.lock:
                self._find()

    def _find(self) -> None:
        if 1 in self.free:
            self.free.remove(1)
        self.ref_cnt[1] += 1
        self.tables["bob"] = [1]


class TwoBooks(PlainFunction, SlipTable):
    """The answer is wrong_blocks(num_blocks, free, ref_cnt, tables) -> set of blocks."""

    id = "08.6"
    title = "Free and mapped"
    answer = "wrong_blocks"
    minutes = 10
    difficulty = 2
    points = 2.0
    seconds = 15.0
    given = ("num_blocks", "free", "ref_cnt", "tables")
    slips = MappingProxyType({
        "one is free and mapped": ("misses-two-owners", "a block that is free and named by a table is wrong."),
        "nothing is wrong": ("false-alarm", "these books agree."),
        "nobody has it": ("misses-a-leak", "a block that is not free, not counted and not named is lost."),
        "counted, and nobody names it": ("misses-a-leak", "a block that is counted and named by no table will never "
                                                          "come back."),
        "named twice, counted once": ("misses-two-owners", "two tables name the block, and it is counted once: the "
                                                           "first who leaves frees it under the other."),
        "counted twice, named once": ("misses-a-leak", "the block is counted twice and named once: it will never come "
                                                        "back."),
        "a count below zero": ("negative-count", "a count below zero is neither 0 nor above it."),
        "six tables share": ("false-alarm", "six tables may name a block that is counted six times."),
        "two slips that add up": ("only-counts", "one block is lost and another is free and mapped: the numbers of "
                                                 "blocks add up, and both are wrong."),
        "listed twice": ("listed-twice", "a block stands in the free list twice: it will be given out twice."),
        "twice in one table": ("named-twice", "one table names the block twice: its tokens overwrite each other."),
        "block 0": ("forgets-the-null-block", "the null block is nobody's, and in no book."),
        "a shared block": ("false-alarm", "two tables may name a block that is counted twice."),
        "a large pool": ("misses-two-owners", "each block has its own books."),
        "a race": ("oracle-is-blind", "the explorer ran an allocator with a race, and your oracle saw nothing wrong "
                                      "after any order."),
        "no race": ("false-alarm", "the explorer ran an allocator without a race, and your oracle accused it."),
    })

    def cases(self, seed: int) -> list[Case]:
        """States of a pool, then two programs for the explorer."""
        draw = self.draw(seed)
        free, used = [*range(6, 12)], draw.sample(range(1, 6), 5)
        bad = draw.choice(used)
        counts = [int(block in used) for block in range(12)]
        return [
            _case("one is free and mapped", [2, 3], [0, 1, 1, 0], [[1], [2]], visible=True),
            _case("nothing is wrong", [3], [0, 1, 1, 0], [[1], [2]]),
            _case("nobody has it", [3], [0, 1, 0, 0], [[1]]),
            _case("counted, and nobody names it", [3], [0, 1, 1, 0], [[1]]),
            _case("named twice, counted once", [3], [0, 1, 1, 0], [[1], [2, 1]]),
            _case("two slips that add up", [2, 3], [0, 1, 1, 0, 0], [[1, 2]]),
            _case("counted twice, named once", [3], [0, 2, 1, 0], [[1], [2]]),
            _case("a count below zero", [2, 3], [0, 1, -1, 0], [[1]]),
            _case("six tables share", [], [0, 6, 6], [[1, 2]] * 6),
            _case("listed twice", [3, 3, 3], [0, 1, 1, 0], [[1], [2]]),
            _case("listed twice", [3, 3], [0, 1, 1, 0], [[1], [2]]),
            _case("twice in one table", [3], [0, 2, 1, 0], [[1, 1], [2]]),
            _case("block 0", [0, 3], [0, 1, 1, 0], [[1], [2]]),
            _case("block 0", [3], [1, 1, 1, 0], [[1, 0], [2]]),
            _case("block 0", [3], [1, 1, 1, 0], [[1], [2]]),
            _case("block 0", [0, 3], [1, 1, 1, 0], [[1, 0], [2]]),
            _case("a shared block", [3], [0, 2, 1, 0], [[1, 2], [1]]),
            _case("a shared block", [1, 2], [0, 0, 0], []),
            _case("a large pool", [*free, bad], counts, [used]),
            Case("a race", {"lock": False}), Case("no race", {"lock": True}),
        ]

    def among(self, case: Case) -> bool:
        """The explorer asks the oracle itself: other calls have no place there."""
        return "lock" not in case.inputs

    def run(self, answer: Any, case: Case) -> object:
        """Ask the oracle of a state, or let the explorer ask it after every order."""
        if "lock" not in case.inputs:
            return _told(self.called(answer, case))
        lock = case["lock"]

        def asked(pool: Shared, answers: object) -> bool:
            return bool(answer(2, list(pool.free), list(pool.ref_cnt), [list(t) for t in pool.tables.values()]))

        calls = {"alice": lambda pool: pool.leave(), "bob": lambda pool: pool.find()}
        return explored(Scenario(lambda: Shared(lock), calls, never=asked))

    def judge(self, case: Case, value: object) -> Verdict:
        """The set, or the explorer's verdict with this oracle."""
        if "lock" in case.inputs:
            if not readable(value):
                return self.unseen("this oracle")
            right = value["verdict"] == ("proved" if case["lock"] else "broken")
            return self.right("Your oracle sees the race.") if right else self.slip(case)
        if type(value) is not list or any(type(block) is not int for block in value):
            return self.wrong("wrong-shape", "wrong_blocks should return a set of whole numbers.")
        wanted = right_blocks(*(case[name] for name in self.given))
        if value == wanted:
            return self.right("Both books are asked.")
        return self.slip(case, before=f"Case '{case.label}': {value or 'nothing'} instead of {wanted or 'nothing'}: ")


def right_blocks(num_blocks: int, free: list[int], ref_cnt: list[int], tables: list[list[int]]) -> list[int]:
    """Return what the answer should, in order."""
    names, wrong = [block for table in tables for block in table], set()
    for block in range(num_blocks):
        wanted_listed = int(block > 0 and ref_cnt[block] == 0)
        if free.count(block) != wanted_listed or names.count(block) != ref_cnt[block]:
            wrong.add(block)
        if (block == 0 and ref_cnt[0]) or any(table.count(block) > 1 for table in tables):
            wrong.add(block)
    return sorted(wrong)


def _told(found: object) -> list[object]:
    """Return what was answered as a sorted list. Raises AnswerProblem for what is no set."""
    if not isinstance(found, (set, frozenset, list, tuple)):
        raise AnswerProblem("wrong-shape", f"wrong_blocks should return a set, not {type(found).__name__}.")
    return sorted(set(found), key=repr) if not all(type(b) is int for b in found) else sorted(set(found))


def _case(label: str, free: list[int], ref_cnt: list[int], tables: list, visible: bool = False) -> Case:
    return Case(label, {"num_blocks": len(ref_cnt), "free": free, "ref_cnt": ref_cnt, "tables": tables}, visible)


EXERCISE = TwoBooks()
