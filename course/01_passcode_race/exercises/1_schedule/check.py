"""Exercise 01.1: write the schedule that lets a wrong passcode in, with the fewest switches."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, ClassVar

from sharedstate.checks.shown import shown_class
from sharedstate.checks.types import Case, Exercise, Verdict

if TYPE_CHECKING:
    from sharedstate.interleave import Scenario, Trace

WORD = re.compile(r"(alice|mallory)(\*\d{0,3})?", re.ASCII)
FEWEST = 2
LONGEST = 60
ALPHABET = "abcdefghkmnpqrstuvwxyz23456789"


VAULT = shown_class(__file__, "VaultChecker")
LOGGED = shown_class(__file__, "VaultChecker", before="return self.opened", added="self.last_seen = passcode")


class LetMalloryIn(Exercise):
    """The answer is a list of words for `play`, such as ["alice*2", "mallory*"]."""

    id = "01.1"
    title = "Let Mallory in"
    answer = "schedule"
    minutes = 10
    difficulty = 1
    points = 2.0
    expects = "a list"
    variants: ClassVar[tuple[type, ...]] = (VAULT, LOGGED)

    def cases(self, seed: int) -> list[Case]:
        """The lab's vault; the same with passcodes drawn from the seed; and one with a line more."""
        draw = random.Random(f"01.1:{seed}")
        words = ["".join(draw.choices(ALPHABET, k=8)) for _ in range(4)]
        return [
            Case("the vault in the lab", {"variant": 0, "right": "s3cret", "wrong": "guess"}, visible=True),
            Case("other passcodes", {"variant": 0, "right": words[0], "wrong": words[1]}),
            Case("a colleague adds one line", {"variant": 1, "right": words[2], "wrong": words[3]}),
        ]

    def run(self, answer: object, case: Case) -> object:
        """Return the words as they are: the schedule is played where it is judged."""
        return answer

    def judge(self, case: Case, value: object) -> Verdict:
        """Play the words; the visible case asks only whether Mallory gets in."""
        bad = _bad_word(value)
        if bad is not None:
            return self.wrong("bad-word", f"{bad} is no word of a schedule. Write 'alice*3' or 'mallory*'.")
        try:
            trace = _room(self.variants[case["variant"]], case["right"], case["wrong"]).play(value)
        except ValueError as problem:
            return self.wrong("bad-word", f"This schedule cannot be played: {problem}")
        return self._verdict(case, trace)

    def _verdict(self, case: Case, trace: Trace) -> Verdict:
        shown = trace.show("text").text
        if "mallory" not in trace.answers and case["variant"] == 1:
            return self._unfinished(case, shown)
        if trace.answers.get("mallory") is not True:
            return self.wrong("still-refused", _refused(trace), schedule=shown)
        if case.visible:
            return self.right("Mallory is in.")
        if not trace.finished:
            return self._unfinished(case, shown)
        if trace.switches > FEWEST:
            message = (
                f"Mallory gets in, after {trace.switches} switches. It can be done with fewer: who has to "
                "move twice?"
            )
            return self.wrong("not-minimal", message, points=1.0, schedule=shown)
        return self.right("Mallory gets in with two switches, and nobody can do it with fewer.")

    def _unfinished(self, case: Case, shown: str) -> Verdict:
        if case["variant"] == 0:
            message = (
                "Mallory gets in, but Alice is still standing in the room. Let everybody finish: "
                "'alice*'."
            )
            return self.wrong("unfinished", message, schedule=shown)
        message = (
            "A colleague added one line at the end of check(), and your schedule stops a step early. "
            "Say 'name*' where you mean 'to the end', and count only the steps that matter."
        )
        return self.wrong("counts-to-the-end", message, points=1.0, schedule=shown)


def _bad_word(value: object) -> str | None:
    """Return the first thing in the schedule that is no word of it, shown as code; None when all are."""
    if type(value) is not list:
        return repr(value)
    if not 0 < len(value) <= LONGEST:
        return f"A list of {len(value)}"
    return next((repr(word) for word in value if type(word) is not str or not WORD.fullmatch(word)), None)


def _room(checker: type, right: str, wrong: str) -> Scenario:
    from sharedstate.interleave import Scenario

    return Scenario(
        setup=lambda: checker(right),
        threads={"alice": lambda c: c.check(right), "mallory": lambda c: c.check(wrong)},
        never=lambda state, answers: answers["mallory"] is True,
    )


def _refused(trace: Trace) -> str:
    """Say where Mallory stands, and what she found when she looked."""
    if "mallory" not in trace.answers:
        return "Mallory never gets to her answer in this schedule. Give her the last word: 'mallory*'."
    looks = [step for step in trace.steps if step.thread == "mallory" and step.kind == "read"]
    read = next((step for step in looks if step.target.endswith("candidate")), None)
    found = f" She found {read.value} as the candidate." if read else ""
    return f"Mallory is refused.{found} Let Alice run after Mallory has written and before Mallory reads."


EXERCISE = LetMalloryIn()
