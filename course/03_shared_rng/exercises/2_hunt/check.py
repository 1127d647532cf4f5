"""Exercise 03.2: derive a seed from (master, unit) so that no two streams meet, in this process or another."""

from __future__ import annotations

import math
import random
from typing import Any

from sharedstate.checks.memory import Memory
from sharedstate.checks.process import WHY_NOT, another_process, as_new, asks_for_its_hash
from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict, is_record
from sharedstate.checks.values import required

from .seeding import SAME_STREAM, TWINS, capacity, meeting
from .words import GAPS, HUGE, TOP, WIDE, digits, squares, without_doubles

ENOUGH = 60  # bits that a seed should hold: with 32, two of 100,000 streams probably meet


class CollisionHunt(Exercise):
    """The answer is derive(master, unit) -> a seed: int, str, bytes, or numpy's SeedSequence."""

    id = "03.2"
    title = "Collision hunt"
    answer = "derive"
    minutes = 10
    difficulty = 2
    points = 3.0
    expects = "a function"
    seconds = 10.0
    when_slow = ("Units go up to 2**64, and whoever makes them one by one (spawn does) never gets there. "
                 "`spawn_key=(unit,)` says the number itself.")

    def cases(self, seed: int) -> list[Case]:
        """One master; small numbers and their neighbours; new pairs twice; another process; wide numbers."""
        draw = self.draw(seed)
        near, wide = draw.randrange(40, 60), draw.randrange(3, 2000)
        new = [[near + 10_000 + place, draw.randrange(1000)] for place in range(5)]
        far = [[wide + k * WIDE, unit] for k in range(4) for unit in range(4)]
        far += [[wide, unit + k * WIDE] for k in range(1, 4) for unit in range(4)]
        broad = [[draw.randrange(TOP // 2, TOP), draw.randrange(TOP // 2, TOP)] for _ in range(64)]
        return [
            _case("one master, 16 units", "plain", [[near, unit] for unit in range(16)], True),
            _case("small masters and units", "plain", [[m, unit] for m in range(26) for unit in range(24)]),
            _case("asked again, in another order", "twice", new),
            _case("in another process", "hash", [[near, 1], [near, 2]]),
            _case("masters and units that differ above 32 bits", "plain", far),
            _case("numbers with many digits", "plain", without_doubles(digits() + squares(2000, (*GAPS, *HUGE)))),
            _case("the last digits of long numbers", "plain",
                  [[TOP - 1 - m, TOP - 1 - unit] for m in range(3) for unit in range(12)]),
            _case(ALIKE, "plain", without_doubles([list(pair) for pair in TWINS])),
            _case("how many seeds there are", "broad", broad),
            _case("a formula's own pairs", "met", []),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Return the first 128 bits of each pair's stream; for "twice" and "hash", once for each of two askings."""
        pairs = case["pairs"]
        if case["kind"] == "broad":
            return capacity([required(answer(*pair), "derive()") for pair in pairs])
        if case["kind"] == "met":
            pairs = meeting(lambda *pair: _whole(answer(*pair)), TOP, TOP)
            same = pairs and first_bits(answer(*pairs[0])) == first_bits(answer(*pairs[1]))
            return {"met": pairs if same else None}
        if case["kind"] == "plain":
            return [[first_bits(answer(*as_new(pair))) for pair in pairs]]
        memory = Memory(answer)
        if case["kind"] == "twice":
            there = [first_bits(answer(*as_new(pair))) for pair in pairs]
            memory.rewind()
            return [there, [first_bits(answer(*as_new(pair))) for pair in reversed(pairs)][::-1]]
        with another_process(1, answer):
            one = [first_bits(answer(*as_new(pair))) for pair in pairs]
        memory.rewind()
        with another_process(2, answer):
            two = [first_bits(answer(*as_new(pair))) for pair in pairs]
        return [one, [] if asks_for_its_hash(answer) else two]

    def judge(self, case: Case, value: object) -> Verdict:
        """The same in both rows, and different within a row; the message names a pair that meets."""
        if case["kind"] == "broad":
            return self._broad(value)
        if case["kind"] == "met":
            if not is_record(value, ("met",)):
                return self.unseen("the seeds")
            return self._meet([value["met"]], True) if value["met"] else self.right(PRAISE)
        rows = 1 if case["kind"] == "plain" else 2
        if case["kind"] == "hash" and type(value) is list and value[1:] == [[]]:
            return self.wrong("hash-changes", HASH)
        if type(value) is not list or len(value) != rows or any(not _texts(row, case["pairs"]) for row in value):
            return self.wrong("wrong-shape", "derive() should return a seed for every master and unit.")
        if value[0] != value[-1]:
            if case["kind"] == "hash":
                return self.wrong("hash-changes", HASH)
            message = ("The same master and unit gave another stream when they were asked for in another order. The "
                       "seed depends on what was asked before, or on chance.")
            return self.wrong("not-reproducible", message)
        seen: dict[str, list[int]] = {}
        met = [(seen.setdefault(bits, pair), pair) for pair, bits in zip(case["pairs"], value[0], strict=True)]
        met = [(one, two) for one, two in met if one != two]
        return self._meet(met, case.label == ALIKE) if met else self.right(PRAISE)

    def _broad(self, value: object) -> Verdict:
        if type(value) is not int:
            return self.wrong("wrong-shape", "derive() should return a seed for every master and unit.")
        if value < ENOUGH:
            streams = 10 ** max(1, round(math.log10(2) * value / 2))
            message = (f"However large masters and units are, your seeds hold about {value} bits. Among some "
                       f"{streams:,} streams two probably meet (birthdays). Keep 64 bits or more.")
            return self.wrong("too-narrow", message)
        return self.right(PRAISE)

    def _meet(self, meeting: list, alike: bool) -> Verdict:
        """Name the first pair that meets, and what all those that meet have in common."""
        reason, why = next(
            ((slug, text) for slug, text, same in MEETINGS if all(same(*a) == same(*b) for a, b in meeting)),
            ("seeds-alike", SAME_STREAM) if alike else ("collision", "something was lost on the way"),
        )
        one, two = meeting[0]
        message = f"(master, unit) = {tuple(one)} and {tuple(two)} get the same stream: {why}."
        return self.wrong(reason, message)


PRAISE = "No two streams meet, and each is found again."
ALIKE = "whole numbers that seed alike"
HASH = f"The seed depends on hash() or on the number of the process. {WHY_NOT}"
MEETINGS = (
    ("same-sum", "they have the same sum", lambda master, unit: master + unit),
    ("same-xor", "they have the same exclusive-or", lambda master, unit: master ^ unit),
    ("same-text", "written one after the other they are the same digits", lambda master, unit: f"{master}{unit}"),
    ("low-bits", "only the low 32 bits of the master are used", lambda master, unit: (master % WIDE, unit)),
)


def first_bits(seed: Any) -> str:
    """Return the first 128 bits of the stream of a seed, as text. Raises AnswerProblem for what is no seed."""
    if hasattr(required(seed, "derive()"), "generate_state"):
        return "".join(f"{int(word):08x}" for word in seed.generate_state(4))
    if isinstance(seed, (int, str, bytes)) and not isinstance(seed, bool):
        return f"{random.Random(seed).getrandbits(128):032x}"
    raise AnswerProblem("wrong-shape", f"derive() gave a {type(seed).__name__}: return an int, a text or bytes.")


def _whole(seed: object) -> object:
    return int(seed) if isinstance(seed, int) and not isinstance(seed, bool) else None


def _texts(row: object, pairs: list) -> bool:
    return type(row) is list and len(row) == len(pairs) and all(type(bits) is str for bits in row)


def _case(label: str, kind: str, pairs: list, visible: bool = False) -> Case:
    return Case(label, {"kind": kind, "pairs": pairs}, visible)


EXERCISE = CollisionHunt()
