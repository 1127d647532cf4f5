"""Exercise 02.2: find the schedule in which each half fix fails."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from sharedstate.checks.shown import shown_class
from sharedstate.checks.types import Case, Exercise, Verdict

if TYPE_CHECKING:
    from sharedstate.interleave import Scenario, Trace

NAMES = ("alice", "mallory")
WORD = re.compile(rf"({'|'.join(NAMES)})(\*\d{{0,3}})?", re.ASCII)
FEWEST, LONGEST = 2, 40


HALVES: Mapping[str, type] = MappingProxyType({
    name: shown_class(__file__, name) for name in ("TwoLocks", "NewLock", "SharedResult")
})


class BreakTheHalfFixes(Exercise):
    """The answer maps each half fix to a list of words for `play`."""

    id = "02.2"
    title = "Break the half fixes"
    answer = "schedules"
    minutes = 10
    difficulty = 2
    points = 3.0
    expects = "a dict"

    def cases(self, seed: int) -> list[Case]:
        """One case a half fix, with a passcode drawn from the seed; the lab shows the first."""
        draw = random.Random(f"02.2:{seed}")
        return [Case(name, {"name": name, "right": f"word{draw.randrange(1000)}"}, name == "TwoLocks")
                for name in HALVES]

    def run(self, answer: object, case: Case) -> object:
        """Return the words as they are: the schedule is played where it is judged."""
        return answer.get(case["name"])

    def judge(self, case: Case, value: object) -> Verdict:
        """Play the words: Mallory is in, everybody finishes, and nobody switches without need."""
        name = case["name"]
        if value is None or value is ...:
            return self.wrong("missing", f"There is no schedule for {name} yet.")
        bad = _bad_word(value)
        if bad is not None:
            return self.wrong("bad-word", f"{name}: {bad}")
        try:
            trace = room(HALVES[name], case["right"]).play(value)
        except ValueError as problem:
            return self.wrong("not-possible", f"{name}: this schedule cannot be played: {problem}")
        return self._verdict(case, trace)

    def _verdict(self, case: Case, trace: Trace) -> Verdict:
        name, shown = case["name"], _shown(case["name"], trace)
        if trace.answers.get("mallory") is not True:
            return self.wrong("still-refused", f"{name}: Mallory is refused, or has no answer yet. {HINTS[name]}",
                              schedule=shown)
        if not trace.finished:
            return self.wrong("unfinished", f"{name}: Mallory gets in, but Alice is left standing. Let everybody "
                                            "finish: 'alice*'.", points=1.0, schedule=shown)
        if trace.switches > FEWEST:
            return self.wrong("not-minimal", f"{name}: Mallory gets in after {trace.switches} switches; "
                                             f"{FEWEST} are enough.", points=1.0, schedule=shown)
        return self.right("Three half fixes, three gaps, and you found them all.")


HINTS: Mapping[str, str] = MappingProxyType({
    "TwoLocks": "Where does she hold no lock between her write and her read?",
    "NewLock": "Whose lock does Alice have to wait for?",
    "SharedResult": "Which field do both write, and which of them must write last?",
})


def _shown(name: str, trace: Trace) -> str:
    """Draw it with the class's name for each place: the check plays a copy of the lab's class, in another file."""
    steps = tuple(replace(step, where=name) for step in trace.steps)
    return replace(trace, steps=steps, here="", token="").show("text").text


def _bad_word(value: object) -> str | None:
    """Say what is wrong with the first thing that is no word of a schedule; None when all are."""
    if type(value) is not list:
        return f"{value!r} is no list of words such as 'alice*3' or 'alice*'."
    if not 0 < len(value) <= LONGEST:
        return f"A list of {len(value)} words is no schedule: write 1 to {LONGEST}."
    bad = [word for word in value if type(word) is not str or not WORD.fullmatch(word)]
    return _told(bad[0]) if bad else None


def _told(word: object) -> str:
    name = word.partition("*")[0] if type(word) is str else ""
    if name.isidentifier() and name not in NAMES:
        return f"{word!r}: nobody here is called {name!r}, only 'alice' and 'mallory'."
    return f"{word!r} is no word of a schedule. Write 'alice*3' or 'alice*'."


def room(checker: type, right: str) -> Scenario:
    """Alice with the right passcode and Mallory with a guess at one checker."""
    from sharedstate.interleave import Scenario

    calls = {"alice": lambda c: c.check(right), "mallory": lambda c: c.check("guess")}
    return Scenario(lambda: checker(right), calls, never=lambda c, answers: answers["mallory"] is True)


EXERCISE = BreakTheHalfFixes()
