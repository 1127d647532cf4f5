"""The check that a lab's cell calls: judge, show, remember; for those who grade, stop where it is not right."""

from __future__ import annotations

import builtins
import html
import importlib
import os
import re
import sys
from dataclasses import asdict
from typing import Any

from .. import palette
from ..progress import Progress
from . import where
from .assess import assess, untouched
from .bank import setup_source
from .registry import Registry
from .schedule_table import table
from .slices import answer_slice
from .source_gate import require_allowed
from .types import AnswerProblem, Exercise, ExerciseNotSolved, Verdict, credit

MISSING = object()
STRICT = "SHAREDSTATE_STRICT"  # set to 1, every check is strict
VALIDATING = "NBGRADER_VALIDATING"  # set to 1 by `nbgrader validate`, which sees nothing but exceptions


class CheckView:
    """A verdict as it is shown: a coloured word and the message, in HTML and as text."""

    def __init__(self, exercise: Exercise, verdict: Verdict, note: str = "") -> None:
        self.exercise = exercise
        self.verdict = verdict
        self.note = note

    def __str__(self) -> str:
        lines = [f"{self._head()}  {self.verdict.message}", self.verdict.schedule, self.note]
        return "\n".join(line for line in lines if line)

    __repr__ = __str__

    def _head(self) -> str:
        word = "SOLVED" if self.verdict.ok else "NOT YET"
        return f"{word}  {self.exercise.id}  {self.verdict.points:g} of {self.exercise.points:g} points."

    def _repr_html_(self) -> str:
        colour = palette.ISOLATED if self.verdict.ok else palette.LEAK
        text = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(self.verdict.message))
        plan = table(self.verdict.schedule) if self.verdict.schedule else ""
        note = f"<p><small>{html.escape(self.note)}</small></p>" if self.note else ""
        state = (f'data-check="{self.exercise.id}" data-ok="{str(self.verdict.ok).lower()}" '
                 f'data-reason="{html.escape(self.verdict.reason)}"')
        return (f'<div {state} style="border-left: 6px solid {colour}; padding: 2px 12px">'
                f"<b>{html.escape(self._head())}</b> {text}{plan}{note}</div>")


class ShownVerdict(Verdict):
    """A verdict that the check has displayed already: as the last value of a cell it adds nothing."""

    def _ipython_display_(self) -> None:
        """Show nothing a second time."""


def check(
    exercise_id: str,
    *answer: object,
    seed: int | None = None,
    registry: Registry | None = None,
    strict: bool | None = None,
) -> Verdict:
    """Check one answer (the one that the notebook calls so, unless one is given); show and store the result.

    Shown with it is what the lab has earned so far; it is stored in my-labs/progress.json.

    Cases are fresh on every call unless a seed is given. An answer that is not right yet says so, and the notebook goes
    on; strict (or SHAREDSTATE_STRICT=1 in the environment, or `nbgrader validate`): ExerciseNotSolved is raised, so that
    "run all" stops there.
    ValueError for an unknown exercise. Nothing that the answer does (loop, deadlock, exception, a flood of output)
    takes longer than the exercise's limit or harms the kernel.
    """
    registry = registry or Registry()
    exercise = registry.exercise(exercise_id)
    verdict = _judged(exercise, registry, answer[0] if answer else _named(exercise), seed)
    note = _remember(exercise, verdict, registry)
    show(CheckView(exercise, verdict, note))
    if not verdict.ok and (any(os.environ.get(name) == "1" for name in (STRICT, VALIDATING)) if strict is None else strict):
        raise ExerciseNotSolved(exercise_id, verdict)
    return ShownVerdict(**asdict(verdict))


def earned(exercise_id: str, *answer: object, seed: int | None = None, registry: Registry | None = None) -> float:
    """Check one answer as `check` does; return its points, the last value of a cell that nbgrader grades.

    Never strict: part of the points is an answer too. Raises what `check` raises, ValueError for points that no
    exercise can give: an error is worth 0 there.
    """
    registry = registry or Registry()
    verdict = check(exercise_id, *answer, seed=seed, registry=registry, strict=False)
    return credit(verdict.points, registry.exercise(exercise_id).points)


def _named(exercise: Exercise) -> object:
    """Return what the notebook calls by the answer's name."""
    shell = _shell()
    return shell.user_ns.get(exercise.answer, MISSING) if shell else MISSING


def _judged(exercise: Exercise, registry: Registry, answer: object, seed: int | None) -> Verdict:
    if answer is MISSING:
        said = (f"`{exercise.answer}` is not there. Run the cell that defines it; after a restart of the kernel, run "
                "all cells above first (Run ▸ Run All Above Selected Cell).")
        return exercise.wrong("missing", said)
    refused = None if untouched(answer) else _refused(exercise, registry)
    return refused or assess(exercise, answer, seed)


def _refused(exercise: Exercise, registry: Registry) -> Verdict | None:
    """Say at once what the grader would say of an answer that it judges from its source: the cells run so far."""
    shell = _shell()
    history = getattr(getattr(shell, "history_manager", None), "input_hist_raw", ())
    if not exercise.judge_source or not history:
        return None
    setup = setup_source(registry.room(exercise.id).unit_folder)
    source = answer_slice([*enumerate(history)], exercise.answer, setup)
    try:
        require_allowed(exercise, source.text, source.place, setup)
    except AnswerProblem as problem:
        return exercise.wrong(problem.reason, problem.message)
    return None


def _remember(exercise: Exercise, verdict: Verdict, registry: Registry) -> str:
    """Store the attempt; return what the lab has earned, or a note when that was not possible."""
    try:
        progress = Progress.load()
        progress.record_attempt(exercise.id, verdict.ok, verdict.points, verdict.reason)
    except (OSError, RuntimeError) as problem:
        return f"Your progress could not be stored: {problem}"
    return " ".join(part for part in (progress.notice, standing(progress, registry, exercise.unit)) if part)


def standing(progress: Progress, registry: Registry, unit: str) -> str:
    """Return "4 of 11 points, next: 01.2." for a unit."""
    every = registry.exercises(unit)
    left = next((one.id for one in every if not progress.solved(one.id)), None)
    rest = f"next: {left}" if left else "all solved"
    return f"{progress.points(unit):g} of {sum(one.points for one in every):g} points, {rest}."


def warn_when_hidden() -> None:
    """In a notebook, say so after each cell that hides the course's check behind one of the learner's."""
    shell = _shell()
    if shell is not None:
        shell.events.register("post_run_cell", _say_if_hidden)
        shell.set_custom_exc((NameError,), _name_missing)


def _name_missing(shell: Any, kind: type, error: NameError, trace: Any, tb_offset: Any = None) -> None:
    """Show a NameError, and where the lab itself defines the name, say what is to be done."""
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
    if where.of_traceback(trace) and error.name and error.name not in vars(builtins):
        print(f"`{error.name}` is not there. After a restart of the kernel, run the cells above first "
              "(Run ▸ Run All Above Selected Cell); else look for a slip of the pen.")


def _say_if_hidden(result: Any) -> None:
    mine = _shell().user_ns.get("check", check)
    if mine is not check and "check" in (result.info.raw_cell or ""):
        print("`check` is now something of yours, and the course's check is hidden behind it. Give yours "
              "another name, then run: from sharedstate.checks import check")


def show(view: object) -> None:
    """Display an object in a notebook, print it elsewhere."""
    if _shell() is None:
        print(view)
    else:
        importlib.import_module("IPython.display").display(view)


def _shell() -> Any:
    """Return the notebook's shell; None outside of one. IPython is not loaded for the question."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None
