"""Exercises in which the learner asks the explorer: the answer is a function from a program to a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from .types import AnswerProblem, Case, Exercise, Verdict

WORDS = ("proved", "broken", "deadlock")


@dataclass(frozen=True)
class Program:
    """One program that the answer is asked about: the class or function, its verdict, and what a wrong word means."""

    thing: Any
    verdict: str
    reason: str
    said: str
    visible: bool = False


class AsksTheExplorer(Exercise):
    """The answer takes a program and returns "proved", "broken" or "deadlock". `programs`: by their names."""

    programs: ClassVar[Mapping[str, Program]]
    praise: ClassVar[str]
    from_outside: ClassVar[bool] = False  # the explorer needs the program beside it; a word cannot be forged

    def cases(self, seed: int) -> list[Case]:
        """Every program, in its order, whatever the seed: which slip is named must not depend on chance."""
        return [Case(name, {"program": name}, one.visible) for name, one in self.programs.items()]

    def run(self, answer: Any, case: Case) -> object:
        """Ask the answer about one program."""
        said = answer(self.programs[case["program"]].thing)
        if said is None or said is ...:
            raise AnswerProblem("untouched", f"`{self.answer}` returns nothing yet.")
        if type(said) is not str:
            kind = type(said).__name__
            message = f"`{self.answer}` should return a word such as 'proved', not a {kind}. A Result has a `.verdict`."
            raise AnswerProblem("not-a-word", message)
        return said

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare with the program's own verdict."""
        program = self.programs[case["program"]]
        if type(value) is not str or value not in WORDS:
            return self.wrong("not-a-word", f"`{self.answer}` should return one of {', '.join(WORDS)}, not {value!r}.")
        if value == program.verdict:
            return self.right(self.praise)
        said = f"{case.label}: you say {value!r}, and it is {program.verdict!r}. {program.said}"
        return self.wrong(program.reason, said)
