"""Exercise 03.1: a batch that depends on (master, unit) alone."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from sharedstate.checks.memory import Memory
from sharedstate.checks.process import WHY_NOT, another_process, as_new, global_state, hidden_state, watched
from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict, is_record
from sharedstate.checks.values import required

from .seeding import SAME_STREAM, meeting, seeds_noted, too_narrow
from .words import (
    WIDE,
    bias,
    meeting_pairs,
    passcode_complaint,
    shared_piece,
    squares,
    wide_pairs,
)


class OwnBatch(Exercise):
    """The answer is unit_batch(master, unit, count) -> count passcodes of that unit."""

    id = "03.1"
    title = "A batch of one's own"
    answer = "unit_batch"
    minutes = 8
    difficulty = 1
    points = 2.0
    expects = "a function"
    seconds = 20.0

    def cases(self, seed: int) -> list[Case]:
        """One unit; again among others; another process; many pairs; long and short; many, to count symbols."""
        draw = self.draw(seed)
        master = draw.randrange(1000, 9000)
        units = [[master, unit, 5] for unit in draw.sample(range(16), 6)]
        new = [[master + 10_000, unit, 3] for unit in draw.sample(range(40), 5)]
        lengths = [[master, 5, count] for count in (4, 40, 1, 0, 4)]
        return [
            _case("one unit", [[master, 3, 5]], True),
            _case("asked twice, others in between", [*units, *reversed(units)]),
            _case("asked in another order, in a new process", new, again=True),
            _case("many passcodes, and other units", [[COUNTED, 7, 3000], [COUNTED, 8, 200], [COUNTED, 6, 200]]),
            _case("many masters and units", [[*pair, 1] for pair in squares(400)]),
            _case("small masters and units", [[a, b, 4] for a in range(4) for b in range(4)]),
            _case("pairs that seed alike", [[*pair, 1] for pair in meeting_pairs(WIDE, WIDE)]),
            _case(WIDE_ONES, [[*pair, 2] for pair in wide_pairs(WIDE, WIDE)]),
            _case("two masters, several counts",
                  [[m, u, c] for c in (3, 5, 2) for m in (6, 7, 106) for u in (0, 1, 6, 7)]),
            _case("the longer batch begins like the shorter", lengths),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Make the calls in order; was anybody's generator used on the way?"""
        calls = [tuple(call) for call in case["calls"]]
        with global_state(1):
            if case["again"]:
                return {"batches": _twice(answer, calls), "global": False, "narrow": False, "met": None}
            before, memories = hidden_state(), [Memory(answer)]
            few = sum(count for _, _, count in calls) < 100
            with watched() if few else nullcontext(list[str]()) as used:
                batches = _asked(answer, calls, memories)
            wide = case.label == WIDE_ONES
            narrow = wide and too_narrow([_seed(answer, *call) for call in calls])
            return {"batches": batches, "narrow": narrow, "met": _met(answer) if wide and not narrow else None,
                    "global": bool(used) or any(memory.moved() for memory in memories) or hidden_state() != before}

    def judge(self, case: Case, value: object) -> Verdict:
        """Passcodes first, then shared state, then the same again, then different from the others."""
        if not is_record(value, ("batches", "global", "narrow", "met")) or type(value["batches"]) is not list:
            return self.wrong("wrong-shape", "Nothing could be read of the batches.")
        calls, batches = case["calls"], value["batches"]
        calls = [*calls, *calls] if case["again"] else calls
        if len(calls) != len(batches):
            return self.wrong("wrong-shape", "A batch is missing.")
        for (master, unit, count), codes in zip(calls, batches, strict=True):
            bad = passcode_complaint(codes, count, f"unit_batch({master}, {unit}, {count})")
            if bad:
                return self.wrong("wrong-shape", bad)
        if value["global"] is not False:
            message = ("A generator outside the function has moved: random's own, numpy's own, or one of your module. "
                       "Others draw from it at the same time, even if you put its state back. Make one for this call.")
            return self.wrong("shared-state", message)
        if case["again"] and batches[:len(batches) // 2] != batches[len(batches) // 2:]:
            return self.wrong("not-reproducible", AGAIN)
        if value["narrow"] is not False:
            return self.wrong("too-narrow", NARROW)
        if value["met"] is not None:
            one, two = map(tuple, value["met"])
            return self.wrong("streams-meet", f"(master, unit) {one} and {two} get the same batch: {SAME_STREAM}.")
        return self._compare(calls, batches)

    def _compare(self, calls: list, batches: list) -> Verdict:
        seen: dict[tuple, list] = {}
        for (master, unit, _), codes in zip(calls, batches, strict=True):
            known = seen.setdefault((master, unit), codes)
            shorter = min(len(known), len(codes))
            if known[:shorter] != codes[:shorter]:
                same = len(known) == len(codes)
                twice = f"Unit {unit} of master {master} was asked twice, and got two different batches."
                message = (twice if same else
                           f"Unit {unit} of master {master}: a batch of {max(len(known), len(codes))} does not begin "
                           f"like one of {shorter}. The count must not change what is drawn.")
                return self.wrong("not-reproducible", message)
            seen[master, unit] = max(known, codes, key=len)
        owners: dict[str, tuple] = {}
        for pair, codes in seen.items():
            for code in codes:
                other = owners.setdefault(code, pair)
                if other != pair:
                    message = f"(master, unit) {other} and {pair} both hold {code}: their streams meet."
                    return self.wrong("streams-meet", message)
            if len(set(codes)) != len(codes):
                return self.wrong("repeats", f"The batch of {pair} holds a passcode twice.")
        return self._counted(seen, [*owners])

    def _counted(self, seen: dict[tuple, list], every: list[str]) -> Verdict:
        for codes in seen.values():
            unfair = bias(codes) if len(codes) >= 1000 else None
            if unfair:
                return self.wrong("biased", f"Not all passcodes are equally likely: {unfair}.")
        piece = shared_piece(every) if len(every) >= 1000 else None
        if piece:
            return self.wrong("overlap", f"{piece[0]} and {piece[1]} are pieces of one text. Draw each symbol once.")
        return self.right("Each unit has its own batch, whoever else draws.")


COUNTED = 4321  # the same master for every seed: whether symbols come evenly must not hang on chance
WIDE_ONES = "masters and units of 32 bits"
NARROW = ("The generator's seed has 32 bits or little more, however large the numbers are that go in: among "
          "some 60,000 streams two probably meet. Seed with a text of both numbers, or with 64 bits or more.")
AGAIN = ("The same masters and units, asked for in another order and with another hash(), gave other batches. hash(), "
         f"the process's number and what was asked before must not matter. {WHY_NOT}")


def _asked(answer: Any, calls: list[tuple], memories: list[Memory] | None = None) -> list[object]:
    """Make the calls. The caller may do what it likes with a list that it got, so it must be a new one.

    memories: gets what the answer remembers after the first call: a generator that was made there may move on later.
    """
    given_before: list[object] = []
    batches: list[object] = []
    for call in calls:
        batch = required(answer(*as_new(call)), "unit_batch()")
        if any(batch is one for one in given_before[-20:]):
            said = "unit_batch() returned the very same list twice: who changes it changes it for all. Make a new one."
            raise AnswerProblem("same-list", said)
        if memories is not None and not batches:
            memories.append(Memory(answer))
        given_before.append(batch)
        batches.append(batch)
    return batches


def _seed(answer: Any, *call: int) -> object:
    """Return the last seed that a generator was given for this call; None for none."""
    with seeds_noted(answer) as noted:
        answer(*call)
    return noted[-1] if noted else None


def _met(answer: Any) -> tuple | None:
    """Return two pairs of master and unit with the same batch, if the seeds give reason to look for them."""
    pairs = meeting(lambda *pair: _seed(answer, *pair, 1), WIDE, WIDE)
    return pairs if pairs and answer(*pairs[0], 2) == answer(*pairs[1], 2) else None


def _twice(answer: Any, calls: list[tuple]) -> list[object]:
    """Ask in one process, and in another order in another one that remembers nothing of the first."""
    memory = Memory(answer)
    with another_process(1, answer):
        first = _asked(answer, calls)
    memory.rewind()
    with another_process(2, answer):
        second = _asked(answer, calls[::-1])[::-1]
    return first + second


def _case(label: str, calls: list, visible: bool = False, again: bool = False) -> Case:
    return Case(label, {"calls": calls, "again": again}, visible)


EXERCISE = OwnBatch()
