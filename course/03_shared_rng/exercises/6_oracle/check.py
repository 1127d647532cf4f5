"""Exercise 03.6: an oracle that compares assignments, not sorted heaps."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import Slips, SlipTable, required

from .words import SYMBOLS

MIXED = "lists, tuples and arrays"
FORMS = (list, tuple, np.array)
MISSED: Slips = MappingProxyType({
    "other hands": ("sorts-away", "two units' batches were exchanged. Sorting everything hides it"),
    "one pair": ("sorts-away", "two units have exchanged one passcode. The heap as a whole is the same"),
    "order": ("sorts-within", "two passcodes of one unit have changed places"),
    "missing unit": ("misses-a-unit", "a unit is missing"),
    "extra unit": ("misses-a-unit", "there is a unit too many"),
    "another name": ("misses-a-unit", "there are as many units as there should be, and one of them has another name"),
    "names exchanged": ("misses-a-unit", "a unit is missing, and another one came in its place with the same batch"),
    "shorter": ("stops-early", "a unit's batch is too short: zip stops at the shorter list"),
    "longer": ("stops-early", "a unit's batch is too long: zip stops at the shorter list"),
    "repeated": ("forgets-how-often", "a passcode came twice, and another one not at all"),
    "across the border": ("joins", "the last passcode of a unit was given to the next unit. In one row they look the "
                                   "same"),
    "glued": ("joins", "two passcodes of a unit have become one text. Joined they look the same"),
    "in the middle": ("looks-in-places", "in a large run, one passcode in the middle of one unit is another one"),
    "at the end": ("looks-in-places", "in a large run, the last passcode of the last unit is another one"),
    "another passcode": ("misses-a-passcode", "a passcode is another one"),
    f"{MIXED}, and one differs": ("misses-a-passcode", "a passcode is another one, in a run of lists and tuples"),
    f"{MIXED}, and one is short": ("stops-early", "a unit's batch, an array, is too short"),
    "other letters": ("too-lenient", "a capital letter is a small one. Passcodes are compared letter by letter"),
})


class NoSortingAway(SlipTable):
    """The answer is reproduced(run, wanted) -> True when every unit got its own passcodes in order."""

    id = "03.6"
    title = "An oracle that does not sort the bug away"
    answer = "reproduced"
    minutes = 8
    difficulty = 2
    points = 2.0
    expects = "a function"
    slips = MISSED

    def cases(self, seed: int) -> list[Case]:
        """Good runs and every way in which one can be wrong."""
        draw = self.draw(seed)
        wanted = {str(unit): ["".join(draw.choices(SYMBOLS, k=4)) for _ in range(4)] for unit in range(4)}
        back = dict(reversed(wanted.items()))
        large = {str(unit): ["".join(draw.choices(SYMBOLS, k=4)) for _ in range(30)] for unit in range(20)}
        missing = {name: codes for name, codes in wanted.items() if name != "3"}
        first, second, *rest = wanted["1"]
        border = {**wanted, "0": wanted["0"][:3], "1": [wanted["0"][3], *wanted["1"]]}
        return [
            _case("as it should be", wanted, wanted, True),
            _case("another passcode", {**wanted, "3": ["????", *wanted["3"][1:]]}, wanted),
            _case("units in another order", back, wanted),
            _case("other hands", {**wanted, "0": wanted["1"], "1": wanted["0"]}, wanted),
            _case("one pair", _one_pair(wanted), wanted),
            _case("order", {**wanted, "2": wanted["2"][::-1]}, wanted),
            _case("missing unit", missing, wanted),
            _case("extra unit", {**wanted, "4": ["zzzz"] * 4}, wanted),
            _case("another name", {**missing, "9": ["zzzz"] * 4}, wanted),
            _case("names exchanged", {**missing, "9": wanted["3"]}, wanted),
            _case("shorter", {**wanted, "1": wanted["1"][:3]}, wanted),
            _case("longer", {**wanted, "1": [*wanted["1"], "zzzz"]}, wanted),
            _case("repeated", {**wanted, "0": [wanted["0"][0], *wanted["0"][:3]]}, wanted),
            _case("across the border", border, wanted),
            _case("glued", {**wanted, "1": [first + second, *rest]}, wanted),
            _case("in the middle", {**large, "11": [*large["11"][:15], "????", *large["11"][16:]]}, large),
            _case("at the end", {**large, "19": [*large["19"][:-1], "????"]}, large),
            _case("other letters", {**wanted, "4": ["Abcd"]}, {**wanted, "4": ["abcd"]}),
            _case("a large run", dict(reversed(large.items())), large),
            _case("no unit at all", {}, {}),
            _case(MIXED, back, wanted),
            _case(f"{MIXED}, and one differs", {**wanted, "3": [*wanted["3"][:3], "????"]}, wanted),
            _case(f"{MIXED}, and one is short", {**wanted, "2": wanted["2"][:1]}, wanted),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Ask about copies, with whole numbers as units; are the copies as before?"""
        run, wanted = _copy(case["run"]), _copy(case["wanted"])
        if MIXED in case.label:
            run = {unit: FORMS[unit % len(FORMS)](codes) for unit, codes in run.items()}
        said = required(answer(run, wanted), "reproduced()")
        plain = {unit: [*map(str, codes)] for unit, codes in run.items()}
        if [*plain.items()] != [*_copy(case["run"]).items()] or [*wanted.items()] != [*_copy(case["wanted"]).items()]:
            message = "After the comparison a run is another one: something was sorted or taken out. Leave both alone."
            raise AnswerProblem("changes-input", message)
        return said

    def judge(self, case: Case, value: object) -> Verdict:
        """True exactly for equal runs."""
        if type(value) is not bool:
            message = f"reproduced() should return True or False, not a {type(value).__name__}."
            return self.wrong("wrong-type", message)
        truth = case["run"] == case["wanted"]
        if value is truth:
            return self.right("Compared unit by unit, in order.")
        if truth and case.label == MIXED:
            message = ("Each unit has its own passcodes, in a list, a tuple or an array, and the run was called wrong. "
                       "A list never equals a tuple: compare what is in them.")
            return self.wrong("compares-containers", message)
        if truth:
            return self.wrong("false-alarm", f"Case '{case.label}': this run is right, and it was called wrong.")
        return self.slip(case, before="A wrong run was called right: ", behind=".")


def _one_pair(wanted: dict) -> dict:
    (a, *rest), (b, *others) = wanted["2"], wanted["3"]
    return {**wanted, "2": [b, *rest], "3": [a, *others]}


def _copy(run: dict) -> dict:
    return {int(name): list(codes) for name, codes in run.items()}


def _case(label: str, run: dict, wanted: dict, visible: bool = False) -> Case:
    return Case(label, {"run": run, "wanted": wanted}, visible)


EXERCISE = NoSortingAway()
