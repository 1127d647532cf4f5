"""Exercise 02.2: find the schedule in which each half fix fails."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sharedstate.checks.scenarios import LetsMalloryIn, Slip
from sharedstate.checks.shown import shown_class
from sharedstate.checks.types import Case, Verdict
from sharedstate.interleave import Trace

HINTS: Mapping[str, str] = MappingProxyType({
    "TwoLocks": "Where does she hold no lock between her write and her read?",
    "NewLock": "Whose lock does Alice have to wait for?",
    "SharedResult": "Which field do both write, and which of them must write last?",
})


class BreakTheHalfFixes(LetsMalloryIn):
    """The answer maps each half fix to a list of words for `play`."""

    id = "02.2"
    title = "Break the half fixes"
    answer = "schedules"
    minutes = 10
    difficulty = 2
    points = 3.0
    expects = "a dict"
    shares = True
    checkers = MappingProxyType({name: shown_class(__file__, name) for name in HINTS})
    praise = "Three half fixes, three gaps, and you found them all."
    too_many = "Mallory gets in after {switches} switches; 2 are enough."

    def cases(self, seed: int) -> list[Case]:
        """One case a half fix, with a passcode drawn from the seed; the lab shows the first."""
        draw = self.draw(seed)
        return [Case(name, {"checker": name, "right": f"word{draw.randrange(1000)}", "wrong": "guess"},
                     name == "TwoLocks") for name in HINTS]

    def run(self, answer: Any, case: Case) -> object:
        """Return the words for this half fix as they are, None where there are none."""
        words = answer.get(case["checker"])
        return None if words is ... else words

    def judge(self, case: Case, value: object) -> Verdict:
        """Nothing yet, or a schedule to play."""
        if value is None:
            return self.wrong("missing", f"There is no schedule for {case.label} yet.")
        return super().judge(case, value)

    def where(self, case: Case) -> str:
        """Every message names its half fix."""
        return f"{case.label}: "

    def refused(self, case: Case, trace: Trace) -> Slip:
        """A hint for this half fix."""
        return "still-refused", f"Mallory is refused, or has no answer yet. {HINTS[case.label]}", 0.0

    def unfinished(self, case: Case) -> Slip:
        """Half of the points."""
        said = "Mallory gets in, but Alice is left standing. Let everybody finish: 'alice*'."
        return "unfinished", said, 1.0


EXERCISE = BreakTheHalfFixes()
