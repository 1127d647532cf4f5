"""Exercise 03.1: a batch that depends on (master, unit) alone."""

from __future__ import annotations

import random

from sharedstate.checks.types import Case, Exercise, Verdict
from sharedstate.checks.unit03_words import given, global_state, passcode_complaint, uneven


class OwnBatch(Exercise):
    """The answer is unit_batch(master, unit, count) -> count passcodes of that unit."""

    id = "03.1"
    title = "A batch of one's own"
    answer = "unit_batch"
    minutes = 8
    difficulty = 1
    points = 2.0
    expects = "a function"
    seconds = 10.0

    def cases(self, seed: int) -> list[Case]:
        """One unit; the same again among others; the small masters where sums meet; many, to count symbols."""
        draw = random.Random(f"03.1:{seed}")
        master = draw.randrange(1000, 9000)
        units = [[master, unit, 5] for unit in draw.sample(range(16), 6)]
        meeting = [[a, b, 4] for a in range(4) for b in range(4)]
        return [
            _case("one unit", [[master, 3, 5]], True),
            _case("asked twice, others in between", [*units, *reversed(units)]),
            _case("small masters and units", meeting),
            _case("the longer batch begins like the shorter", [[master, 5, 4], [master, 5, 40]]),
            _case("many passcodes", [[master, 7, 3000]]),
        ]

    def run(self, answer: object, case: Case) -> object:
        """Make the calls in order; was the module's own generator used on the way?"""
        with global_state(1):
            before = random.getstate()
            batches = [given(answer(*call), "unit_batch()") for call in case["calls"]]
            return {"batches": batches, "global": random.getstate() != before}

    def judge(self, case: Case, value: object) -> Verdict:
        """Passcodes first, then shared state, then the same again, then different from the others."""
        if type(value) is not dict or set(value) != {"batches", "global"} or type(value["batches"]) is not list:
            return self.wrong("wrong-shape", "Nothing could be read of the batches.")
        calls, batches = case["calls"], value["batches"]
        if len(calls) != len(batches):
            return self.wrong("wrong-shape", "A batch is missing.")
        for (master, unit, count), codes in zip(calls, batches, strict=True):
            bad = passcode_complaint(codes, count, f"unit_batch({master}, {unit}, {count})")
            if bad:
                return self.wrong("wrong-shape", bad)
        if value["global"] is not False:
            message = "The generator of the module random has moved. It belongs to everybody; make one of your own."
            return self.wrong("shared-state", message)
        return self._compare(calls, batches)

    def _compare(self, calls: list, batches: list) -> Verdict:
        seen: dict[tuple, list] = {}
        for (master, unit, _), codes in zip(calls, batches, strict=True):
            known = seen.setdefault((master, unit), codes)
            shorter = min(len(known), len(codes))
            if known[:shorter] != codes[:shorter]:
                message = f"Unit {unit} of master {master} was asked twice, and got two different batches."
                return self.wrong("not-reproducible", message)
        owners: dict[str, tuple] = {}
        for pair, codes in seen.items():
            for code in codes:
                other = owners.setdefault(code, pair)
                if other != pair:
                    message = f"(master, unit) {other} and {pair} both hold {code}: their streams meet."
                    return self.wrong("streams-meet", message)
            if len(set(codes)) != len(codes):
                return self.wrong("repeats", f"The batch of {pair} holds a passcode twice.")
            if len(codes) >= 1000 and uneven(codes):
                return self.wrong("biased", "Some symbols come too often: 256 is no multiple of 62.")
        return self.right("Each unit has its own batch, whoever else draws.")


def _case(label: str, calls: list, visible: bool = False) -> Case:
    return Case(label, {"calls": calls}, visible)
