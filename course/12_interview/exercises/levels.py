"""Exercises in which a level of the scheduler game is played: the answer is a schedule, written as a list of words."""

from __future__ import annotations

from typing import Any, ClassVar

from sharedstate.checks.types import Case, Exercise, Verdict
from sharedstate.game import level
from sharedstate.interleave.execution import ScenarioError
from sharedstate.wording import count

PLAYED, REACHED, FEWEST = "it can be played", "it reaches the goal", "it has the fewest switches"
LONGEST = 60


class PlaysALevel(Exercise):
    """The answer is a list of words for `play`. `game` names the level, `missed` says what to tell whose run misses it.

    `par` is the fewest number of switches: a test holds it to the explorer's own.
    """

    game: ClassVar[str]
    missed: ClassVar[str]
    par: ClassVar[int]
    points = 6.0
    expects = "a list"

    def cases(self, seed: int) -> list[Case]:
        """Three questions about one schedule, whatever the seed; the lab's example is the first."""
        return [Case(PLAYED, visible=True), Case(REACHED), Case(FEWEST)]

    def run(self, answer: Any, case: Case) -> object:
        """Return the words as they are: the schedule is played where it is judged."""
        return answer

    def judge(self, case: Case, value: object) -> Verdict:
        """Play it, and ask the case's question."""
        if type(value) is not list or not 0 < len(value) <= LONGEST or any(type(word) is not str for word in value):
            return self.wrong("bad-word", f"{self.answer} should be a list of words such as 'ann' and 'ann*3'.")
        one = level(self.game)
        try:
            trace = one.scenario().play(value)
        except ScenarioError as problem:
            return self.wrong("not-possible", f"This schedule cannot be played: {problem}")
        if case.label == PLAYED:
            return self.right("It can be played.")
        if trace.verdict == "unfinished":
            standing = ", ".join(name for name in trace.threads if name not in trace.answers)
            return self.wrong("unfinished", f"{standing} can go on. Let everybody move until nobody can.")
        if trace.verdict != {"violation": "broken", "deadlock": "deadlock"}[one.goal]:
            return self.wrong("goal-missed", f"Everybody is done, and the goal is missed. {self.missed}")
        if case.label == FEWEST and trace.switches > self.par:
            said = f"The goal is reached in {count(trace.switches, 'switch')}, and {self.par} would do."
            return self.wrong("not-minimal", said, 3.0)
        return self.right(f"The goal is reached in {count(trace.switches, 'switch')}: nobody can do it in fewer.")
