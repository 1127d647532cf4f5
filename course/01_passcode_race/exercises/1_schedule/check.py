"""Exercise 01.1: write the schedule that lets a wrong passcode in, with the fewest switches."""

from __future__ import annotations

from types import MappingProxyType

from sharedstate.checks.scenarios import LetsMalloryIn, Slip
from sharedstate.checks.shown import shown_class
from sharedstate.checks.types import Case
from sharedstate.interleave import Trace

ALPHABET = "abcdefghkmnpqrstuvwxyz23456789"
TODAY, TOMORROW = "the vault", "the vault with a line more"


class ScheduleForMallory(LetsMalloryIn):
    """The answer is a list of words for `play`, such as ["alice*2", "mallory*"]."""

    id = "01.1"
    title = "Let Mallory in"
    answer = "schedule"
    minutes = 10
    difficulty = 1
    points = 2.0
    expects = "a list"
    checkers = MappingProxyType({
        TODAY: shown_class(__file__, "VaultChecker"),
        TOMORROW: shown_class(__file__, "VaultChecker", before="return self.opened", added="self.last_seen = passcode"),
    })
    unplayable = "bad-word"
    example_asks_all = False
    praise = "Mallory gets in with two switches, and nobody can do it with fewer."
    too_many = "Mallory gets in, after {switches} switches. It can be done with fewer: who has to move twice?"

    def cases(self, seed: int) -> list[Case]:
        """The lab's vault; the same with passcodes drawn from the seed; and one with a line more."""
        draw = self.draw(seed)
        words = ["".join(draw.choices(ALPHABET, k=8)) for _ in range(4)]
        return [
            Case("the vault in the lab", {"checker": TODAY, "right": "s3cret", "wrong": "guess"}, visible=True),
            Case("other passcodes", {"checker": TODAY, "right": words[0], "wrong": words[1]}),
            Case("a colleague adds one line", {"checker": TOMORROW, "right": words[2], "wrong": words[3]}),
        ]

    def refused(self, case: Case, trace: Trace) -> Slip:
        """Say where Mallory stands, and what she found when she looked."""
        if "mallory" not in trace.answers and case["checker"] == TOMORROW:
            return self.unfinished(case)
        if "mallory" not in trace.answers:
            said = "Mallory never gets to her answer in this schedule. Give her the last word: 'mallory*'."
            return "still-refused", said, 0.0
        looks = [step for step in trace.steps if step.thread == "mallory" and step.kind == "read"]
        read = next((step for step in looks if step.target.endswith("candidate")), None)
        found = f" She found {read.value} as the candidate." if read else ""
        where = "Let Alice run after Mallory has written and before Mallory reads."
        return "still-refused", f"Mallory is refused.{found} {where}", 0.0

    def unfinished(self, case: Case) -> Slip:
        """Who counts to the end stops a step early when a line comes in."""
        if case["checker"] == TODAY:
            said = "Mallory gets in, but Alice is still standing in the room. Let everybody finish: 'alice*'."
            return "unfinished", said, 0.0
        return "counts-to-the-end", (
            "A colleague added one line at the end of check(), and your schedule stops a step early. "
            "Say 'name*' where you mean 'to the end', and count only the steps that matter."), 1.0


EXERCISE = ScheduleForMallory()
