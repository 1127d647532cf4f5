"""Exercise 07.5: which oracle sees which bug for certain?"""

from __future__ import annotations

from collections.abc import Set
from itertools import product
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import Case, Verdict
from sharedstate.checks.values import PlainFunction

ORACLES = ("alone", "neighbour", "owner tag", "poison")
TOKENS = "tokens"
READS = ("own rows", "neighbour", "freed", "zeroed")
TOLERANCE = MappingProxyType({"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1})
NAMES = ("reads", "wrong_alone", "error", "dtype")
WHY = MappingProxyType({
    "alone": "It compares with the same request alone, and asks for more difference than rounding makes.",
    "neighbour": "It changes what others have written, all shapes equal, and compares bit for bit.",
    "owner tag": "It asks of each row that is read whether the reader wrote it since it took the slot.",
    "poison": "It writes 1e30 into every place that is given back, after any clearing.",
})


class PickTheOracle(PlainFunction):
    """The answer is who_sees(reads, wrong_alone, error, dtype) -> a set of oracles."""

    id = "07.5"
    title = "Pick the oracle"
    answer = "who_sees"
    minutes = 10
    difficulty = 2
    points = 2.0
    given = NAMES

    def cases(self, seed: int) -> list[Case]:
        """A stale slot first; then every kind of row, alone and batched, with errors around each tolerance."""
        draw = self.draw(seed)
        cases = [_case(("freed", False, 0.2, "float32"), True)]
        for reads, alone, dtype in product(READS, (False, True), TOLERANCE):
            limit = TOLERANCE[dtype]
            errors = (limit * draw.choice((3e3, 1e5, 1e7)), limit / 50, limit, 1.01 * limit)
            cases += [_case((reads, alone, error, dtype)) for error in errors]
        return cases

    def run(self, answer: Any, case: Case) -> object:
        """Call the function; a set becomes a sorted list."""
        found = self.called(answer, case)
        if not isinstance(found, Set):
            return found
        return sorted(str.__str__(name) if isinstance(name, str) else str(type(name)) for name in found)

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare with what each oracle asks."""
        if type(value) is not list or value != sorted(set(map(str, value))):
            return self.wrong("wrong-shape", f"who_sees should return a set of names out of {ORACLES}.")
        if TOKENS in value:
            message = "Comparing tokens sees a bug when the best token happens to change, so never for certain."
            return self.wrong("trusts-tokens", message)
        if not set(value) <= set(ORACLES):
            return self.wrong("no-such-oracle", f"{value} holds a name that is none of {ORACLES}.")
        truth = oracles_that_see(*(case[name] for name in NAMES))
        wrong = [name for name in ORACLES if (name in truth) != (name in value)]
        if not wrong:
            return self.right("Four oracles, four blind spots, and you know them.")
        return self.wrong(*_reason(case, wrong[0], wrong[0] in truth))


def oracles_that_see(reads: str, wrong_alone: bool, error: float, dtype: str) -> set[str]:
    """Return the oracles that see such a bug in every run."""
    seen = set()
    if not wrong_alone and error > TOLERANCE[dtype]:
        seen.add("alone")
    if reads in ("neighbour", "freed"):
        seen.add("neighbour")
    if reads != "own rows":
        seen.add("owner tag")
    if reads in ("freed", "zeroed"):
        seen.add("poison")
    return seen


def _reason(case: Case, oracle: str, sees: bool) -> tuple[str, str]:
    """Name the mistake: which oracle, and why it sees the bug or does not."""
    card = ", ".join(f"{name}={f'{case[name]:g}' if name == 'error' else repr(case[name])}" for name in NAMES)
    said = f"Card {card}: '{oracle}' {'sees' if sees else 'does not see'} it. {WHY[oracle]}"
    if oracle == "alone" and not sees:
        return ("believes-alone" if case["wrong_alone"] else "hears-rounding"), said
    if oracle == "alone":
        return "wrong-tolerance", said
    return f"{oracle.replace(' ', '-')}-{'overlooked' if sees else 'overrated'}", said


def _case(card: tuple, visible: bool = False) -> Case:
    reads, alone, error, dtype = card
    label = f"{reads}, {'wrong' if alone else 'right'} alone, {error:g} in {dtype}"
    return Case(label, dict(zip(NAMES, card, strict=True)), visible)


EXERCISE = PickTheOracle()
