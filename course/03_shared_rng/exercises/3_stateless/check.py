"""Exercise 03.3: passcode number k without its predecessors."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from typing import Any

from sharedstate.checks.memory import Memory
from sharedstate.checks.process import WHY_NOT, another_process, as_new, global_state, hidden_state, watched
from sharedstate.checks.types import Case, Exercise, Verdict, is_record
from sharedstate.checks.values import required

from .seeding import SAME_STREAM, meeting, seeds_noted, too_narrow
from .words import (
    HUGE,
    TOP,
    WIDE,
    bias,
    meeting_pairs,
    passcode_complaint,
    shared_piece,
    squares,
    wide_pairs,
)


class NumberK(Exercise):
    """The answer is passcode(seed, k) -> passcode number k of the seed's endless list."""

    id = "03.3"
    title = "Number k, and no predecessors"
    answer = "passcode"
    minutes = 8
    difficulty = 2
    points = 2.0
    expects = "a function"
    seconds = 16.0
    when_slow = ("Number k must not need its predecessors: the check asks for number 1,000,000,000,000, and k steps "
                 "take too long. Make each passcode from seed and k alone.")

    def cases(self, seed: int) -> list[Case]:
        """A few; backwards; in another process; from far away; seeds and numbers that look alike; many in a row."""
        draw = self.draw(seed)
        master = draw.randrange(100, 900)
        some = [[master, k] for k in range(6)]
        alike = [[a, b] for a in (0, 1, 2, 11, 12) for b in (0, 1, 2, 11, 12, 111)]
        far = [[master, 10**12 + draw.randrange(100)], [master, 10**15], [master, 3], [master, 2**32 + 3], [0, 2**32]]
        new = [[master + 1000, draw.randrange(10**6) + place] for place in range(0, 50, 10)]
        return [
            _case("three passcodes", some[:3], True),
            _case("forwards, then backwards", [*some, *reversed(some)]),
            _case("in another order, in a new process", new, again=True),
            _case("seeds and numbers that look alike", alike),
            _case("many in a row", [[COUNTED, k] for k in range(3000)]),
            _case("many seeds and numbers", [*squares(400), *([0, far] for far in HUGE if far < 2**53)]),
            _case("pairs that seed alike", meeting_pairs(WIDE, FAR)),
            _case(WIDE_ONES, wide_pairs(WIDE, FAR)),
            _case("far away", far),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Make the calls in order; did anything change that outlives a call?"""
        calls, memory = [tuple(call) for call in case["calls"]], Memory(answer)
        with global_state(2):
            before = hidden_state()
            if case["again"]:
                codes, used = _twice(answer, memory, calls), []
            else:
                with watched() if len(calls) < 100 else nullcontext(list[str]()) as used:
                    codes = [required(answer(*as_new(call)), "passcode()") for call in calls]
            kept, moved = memory.changed(), memory.moved()
            wide = case.label == WIDE_ONES
            narrow = wide and too_narrow([_seed(answer, *call) for call in calls])
            return {"codes": codes, "global": bool(used) or moved or hidden_state() != before, "kept": kept,
                    "narrow": narrow, "met": _met(answer) if wide and not narrow else None}

    def judge(self, case: Case, value: object) -> Verdict:
        """Passcodes, no shared state, the same in any order, different otherwise, evenly drawn."""
        if not is_record(value, ("codes", "global", "kept", "narrow", "met")):
            return self.wrong("wrong-shape", "Nothing could be read of the passcodes.")
        calls, codes = case["calls"], value["codes"]
        calls = [*calls, *calls[::-1]] if case["again"] else calls
        bad = passcode_complaint(codes, len(calls), f"Case '{case.label}'")
        if bad:
            return self.wrong("wrong-shape", bad)
        if value["global"] is not False:
            message = ("A generator outside the function has moved: random's own, numpy's own, or one of your module. "
                       "That is shared state, even if you put it back.")
            return self.wrong("shared-state", message)
        if value["narrow"] is not False:
            return self.wrong("too-narrow", NARROW)
        if value["met"] is not None:
            one, two = map(tuple, value["met"])
            return self.wrong("collision", f"passcode{one} and passcode{two} are the same: {SAME_STREAM}.")
        return self._compare(calls, codes) or self._kept(value) or self._counted(codes)

    def _compare(self, calls: list, codes: list) -> Verdict | None:
        known: dict[tuple, str] = {}
        owners: dict[str, tuple] = {}
        for call, code in zip(map(tuple, calls), codes, strict=True):
            if known.setdefault(call, code) != code:
                message = (f"passcode{call} gave {known[call]}, and {code} when it was asked in another order, with "
                           f"another hash(): it depends on what was asked before, on hash(), or on chance. {WHY_NOT}")
                return self.wrong("order-matters", message)
            if owners.setdefault(code, call) != call:
                return self.wrong("collision", f"passcode{owners[code]} and passcode{call} are the same, {code}.")
        return None

    def _kept(self, value: dict) -> Verdict | None:
        if value["kept"] is False:
            return None
        message = "Something stayed behind after the call: a cache, a list, a counter. Work each passcode out anew."
        return self.wrong("remembers", message)

    def _counted(self, codes: list[str]) -> Verdict:
        if len(codes) < 3000:
            return self.right("Any number at once, in any order.")
        unfair, piece = bias(codes), shared_piece(codes)
        if piece:
            message = f"{piece[0]} and {piece[1]} are pieces of one text. Leave room between two numbers."
            return self.wrong("overlap", message)
        if unfair:
            return self.wrong("biased", f"Not all passcodes are equally likely: {unfair}.")
        return self.right("Any number at once, in any order.")


FAR = 2**48
COUNTED = 432  # the same seed every time: whether symbols come evenly must not hang on chance
WIDE_ONES = "large seeds and numbers"
NARROW = ("The generator's seed has 32 bits or little more, however large the numbers are that go in: among "
          "some 60,000 streams two probably meet. Seed with a text of both numbers, or with 64 bits or more.")


def _seed(answer: Any, *call: int) -> object:
    """Return the last seed that a generator was given for this call; None for none."""
    with seeds_noted(answer) as noted:
        answer(*call)
    return noted[-1] if noted else None


def _met(answer: Any) -> tuple | None:
    """Return two pairs of seed and number with the same passcode, if the seeds give reason to look for them."""
    with suppress(Exception):  # a number that the answer cannot take
        pairs = meeting(lambda *pair: _seed(answer, *pair), WIDE, TOP)
        return pairs if pairs and answer(*pairs[0]) == answer(*pairs[1]) else None
    return None


def _twice(answer: Any, memory: Memory, calls: list[tuple]) -> list[object]:
    """Ask in one process, and backwards in another one that remembers nothing of the first."""
    codes = []
    for number, asked in ((1, calls), (2, calls[::-1])):
        with another_process(number, answer):
            codes += [required(answer(*as_new(call)), "passcode()") for call in asked]
        memory.rewind()
    return codes


def _case(label: str, calls: list, visible: bool = False, again: bool = False) -> Case:
    return Case(label, {"calls": calls, "again": again}, visible)


EXERCISE = NumberK()
