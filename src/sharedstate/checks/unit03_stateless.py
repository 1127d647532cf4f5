"""Exercise 03.3: passcode number k without its predecessors."""

from __future__ import annotations

import random

from sharedstate.checks.types import Case, Exercise, Verdict
from sharedstate.checks.unit03_words import given, global_state, passcode_complaint, uneven


class NumberK(Exercise):
    """The answer is passcode(seed, k) -> passcode number k of the seed's endless list."""

    id = "03.3"
    title = "Number k, and no predecessors"
    answer = "passcode"
    minutes = 8
    difficulty = 2
    points = 2.0
    expects = "a function"
    seconds = 4.0

    def cases(self, seed: int) -> list[Case]:
        """A few; backwards; from far away; seeds and numbers that look alike; many in a row."""
        draw = random.Random(f"03.3:{seed}")
        master = draw.randrange(100, 900)
        some = [[master, k] for k in range(6)]
        alike = [[a, b] for a in (0, 1, 2, 11, 12) for b in (0, 1, 2, 11, 12, 111)]
        return [
            _case("three passcodes", some[:3], True),
            _case("forwards, then backwards", [*some, *reversed(some)]),
            _case("seeds and numbers that look alike", alike),
            _case("many in a row", [[master, k] for k in range(3000)]),
            _case("far away", [[master, 10**12 + draw.randrange(100)], [master, 10**15]]),
        ]

    def run(self, answer: object, case: Case) -> object:
        """Make the calls in order."""
        with global_state(2):
            before = random.getstate()
            codes = [given(answer(*call), "passcode()") for call in case["calls"]]
            return {"codes": codes, "global": random.getstate() != before}

    def judge(self, case: Case, value: object) -> Verdict:
        """Passcodes, no shared state, the same in any order, different otherwise, evenly drawn."""
        if type(value) is not dict or set(value) != {"codes", "global"}:
            return self.wrong("wrong-shape", "Nothing could be read of the passcodes.")
        calls, codes = case["calls"], value["codes"]
        bad = passcode_complaint(codes, len(calls), f"Case '{case.label}'")
        if bad:
            return self.wrong("wrong-shape", bad)
        if value["global"] is not False:
            return self.wrong("shared-state", "The generator of the module random has moved: that is shared state.")
        known: dict[tuple, str] = {}
        owners: dict[str, tuple] = {}
        for call, code in zip(map(tuple, calls), codes, strict=True):
            if known.setdefault(call, code) != code:
                message = f"passcode{call} gave {known[call]}, and later {code}: it depends on what was asked before."
                return self.wrong("order-matters", message)
            if owners.setdefault(code, call) != call:
                return self.wrong("collision", f"passcode{owners[code]} and passcode{call} are the same, {code}.")
        if len(codes) >= 1000 and uneven(codes):
            return self.wrong("biased", f"In {len(codes):,} passcodes some symbols come far too often.")
        return self.right("Any number at once, in any order.")


def _case(label: str, calls: list, visible: bool = False) -> Case:
    return Case(label, {"calls": calls}, visible)
