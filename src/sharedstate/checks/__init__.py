"""One check per exercise, in three pure parts: cases(seed), run(answer, case), judge(case, value)."""

from __future__ import annotations

from .assess import assess
from .lab import check, earned
from .registry import Registry, exercise, exercises
from .types import AnswerProblem, Case, Control, Exercise, ExerciseNotSolved, Verdict

__all__ = [
    "AnswerProblem", "Case", "Control", "Exercise", "ExerciseNotSolved", "Registry", "Verdict",
    "assess", "check", "earned", "exercise", "exercises",
]
