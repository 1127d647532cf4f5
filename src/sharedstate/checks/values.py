"""Exercises whose answer is a function of plain values: called on copies, compared with what is right."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from .types import AnswerProblem, Case, Exercise, Verdict

Slips = Mapping[str, tuple[str, str]]  # a case's label -> the reason for who fails it, and what to tell


class PlainFunction(Exercise):
    """The answer is a function that gets copies of a case's inputs: those named in `given`, in this order."""

    expects: ClassVar[str] = "a function"
    given: ClassVar[tuple[str, ...]]
    none_is_untouched: ClassVar[bool] = True

    def run(self, answer: Any, case: Case) -> object:
        """Call the function."""
        return self.called(answer, case)

    def called(self, answer: Callable[..., object], case: Case, **other: object) -> Any:
        """Call the answer on copies, with some inputs exchanged for others, and return what it gives.

        Raises AnswerProblem: "untouched" for None, "changes-its-input" when a copy is not as it was.
        """
        inputs = [other.get(name, case.inputs[name]) for name in self.given]
        copies = copy.deepcopy(inputs)
        found = answer(*copies)
        if found is None and self.none_is_untouched:
            raise AnswerProblem("untouched", f"{self.answer} returns nothing yet.")
        if copies != inputs:
            said = f"{self.answer} changes what it is given. That belongs to the caller: work on a copy."
            raise AnswerProblem("changes-its-input", said)
        return found


class SlipTable(Exercise):
    """Each case shows one kind of mistake: `slips` names it by the case's label."""

    slips: ClassVar[Slips]

    def slip(self, case: Case, *, before: str = "", behind: str = "") -> Verdict:
        """Return the verdict of an answer that fails this case, with words put before and behind the table's."""
        reason, said = self.slips[case.label]
        return self.wrong(reason, f"{before}{said}{behind}")


def required(found: object, what: str) -> object:
    """Return what a function gave; raise AnswerProblem("untouched") for None, which is what an empty one gives."""
    if found is None:
        raise AnswerProblem("untouched", f"{what} returns nothing yet.")
    return found


def require_pair(answer: tuple, said: str) -> None:
    """Raise AnswerProblem("wrong-shape") for anything but a pair of functions."""
    if len(answer) != 2 or not all(callable(function) for function in answer):
        raise AnswerProblem("wrong-shape", said)
