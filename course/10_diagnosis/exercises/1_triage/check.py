"""Exercise 10.1: four answers and two measured differences, and what they suggest."""

from __future__ import annotations

from types import MappingProxyType

from sharedstate.checks.types import Case, Verdict
from sharedstate.checks.values import PlainFunction, SlipTable

SHARED, ROUNDING, OTHER = "shared state", "rounding", "something else"
WORDS = (SHARED, ROUNDING, OTHER)
SINGLE, DOUBLE = 1e-4, 1e-9


def right_triage(answers: list[bool], single: float | None, double: float | None) -> str:
    """Return what the answer should."""
    if single is not None and double is not None and 0 < single <= SINGLE and double <= DOUBLE:
        return ROUNDING
    return SHARED if sum(answers) >= 3 or (answers[1] and answers[3]) else OTHER


class Triage(PlainFunction, SlipTable):
    """The answer is triage(answers, single, double) -> one of three words."""

    id = "10.1"
    title = "Four questions, and a measurement"
    answer = "triage"
    minutes = 8
    difficulty = 1
    points = 2.0
    given = ("answers", "single", "double")
    slips = MappingProxyType({
        "four yeses, nothing measured": ("no-suspect", "four yeses make shared state the first suspect."),
        "four yeses, and it is rounding": ("forgets-rounding", "the difference falls with the precision: that is "
                                                               "rounding, whatever the answers are."),
        "four yeses, and it stays": ("calls-it-rounding", "the difference is as large in double precision: that is "
                                                          "no rounding."),
        "small in single, not in double": ("calls-it-rounding", "a difference of 1e-6 in double precision is no "
                                                                "rounding."),
        "large in single, gone in double": ("calls-it-rounding", "a difference of 0.2 in single precision is no "
                                                                 "rounding, although double precision hides it."),
        "no difference at all": ("calls-it-rounding", "where nothing differs, nothing is rounded: ask the answers."),
        "three yeses": ("no-suspect", "three yeses are enough."),
        "content, and gone alone": ("needs-three", "the second and the fourth yes together are enough."),
        "two others": ("two-are-enough", "two yeses are not enough, unless they are the second and the fourth."),
        "one yes": ("two-are-enough", "one yes is not enough."),
        "only load": ("two-are-enough", "a full disk answers yes to the third question alone."),
        "just above": ("bounds", "above 0.0001 in single precision, or above 1e-9 in double, it is no rounding."),
        "half measured": ("half-measured", "where one of the two was not measured, ask the answers."),
        "at the bounds": ("bounds", "the bounds, 0.0001 and 1e-9, still count as rounding."),
    })

    def cases(self, seed: int) -> list[Case]:
        """Every slip, and some draws of it."""
        draw = self.draw(seed)
        yes, small = [True] * 4, draw.uniform(1e-7, 9e-5)
        three = [True] * 4
        three[draw.randrange(4)] = False
        one = [False] * 4
        one[draw.randrange(4)] = True
        return [
            _case("four yeses, nothing measured", yes, None, None, True),
            _case("four yeses, and it is rounding", yes, small, 1e-15),
            _case("four yeses, and it is rounding", [True, False, False, False], small, 0.0),
            _case("four yeses, and it is rounding", yes, 1e-12, 0.0),
            _case("four yeses, and it stays", yes, 0.2, 0.2),
            _case("small in single, not in double", yes, 1e-6, 1e-6),
            _case("large in single, gone in double", yes, 0.2, 1e-12),
            _case("no difference at all", yes, 0.0, 0.0),
            _case("no difference at all", [False] * 4, 0.0, 0.0),
            _case("three yeses", three, None, None),
            _case("three yeses", [True, False, True, True], 0.3, 0.3),
            _case("three yeses", [True, True, True, False], None, None),
            _case("content, and gone alone", [False, True, False, True], None, None),
            *(_case("two others", pair, None, None) for pair in (
                [True, True, False, False], [True, False, False, True], [False, False, True, True],
                [False, True, True, False], [True, False, True, False])),
            _case("one yes", one, None, None),
            _case("only load", [False, False, True, False], None, None),
            _case("just above", yes, 1.5e-4, 1e-12),
            _case("just above", yes, small, 1.5e-9),
            _case("half measured", yes, small, None),
            _case("half measured", one, None, 1e-12),
            _case("at the bounds", yes, SINGLE, DOUBLE),
        ]

    def judge(self, case: Case, value: object) -> Verdict:
        """One of three words."""
        if type(value) is not str or value not in WORDS:
            return self.wrong("not-a-word", f"triage should return one of {', '.join(WORDS)}, not {value!r}.")
        wanted = right_triage(*(case[name] for name in self.given))
        if value == wanted:
            return self.right("First measured, then suspected.")
        return self.slip(case, before=f"Case '{case.label}': {value!r} instead of {wanted!r}: ")


def _case(label: str, answers: list[bool], single: float | None, double: float | None, visible: bool = False) -> Case:
    return Case(label, {"answers": answers, "single": single, "double": double}, visible)


EXERCISE = Triage()
