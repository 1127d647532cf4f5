"""The check that a lab's cell calls: judge, show, remember, and stop where the answer is not right."""

from __future__ import annotations

import html
import importlib
import re
import sys
from dataclasses import asdict
from typing import Any

from ..progress import Progress
from .assess import assess
from .registry import Registry
from .types import Exercise, ExerciseNotSolved, Verdict

RIGHT = "#0072B2"
WRONG = "#D55E00"
TABLE = "white-space: pre; overflow-x: auto; font-size: 85%"


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
        colour = RIGHT if self.verdict.ok else WRONG
        text = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(self.verdict.message))
        plan = f'<pre style="{TABLE}">{html.escape(self.verdict.schedule)}</pre>' if self.verdict.schedule else ""
        note = f"<p><small>{html.escape(self.note)}</small></p>" if self.note else ""
        state = f'data-check="{self.exercise.id}" data-ok="{str(self.verdict.ok).lower()}"'
        return (f'<div {state} style="border-left: 6px solid {colour}; padding: 2px 12px">'
                f"<b>{html.escape(self._head())}</b> {text}{plan}{note}</div>")


class ShownVerdict(Verdict):
    """A verdict that the check has displayed already: as the last value of a cell it adds nothing."""

    def _ipython_display_(self) -> None:
        """Show nothing a second time."""


def check(
    exercise_id: str, answer: object = ..., seed: int | None = None, registry: Registry | None = None
) -> Verdict:
    """Check one answer, show the result, and store it in my-labs/progress.json.

    Cases are fresh on every call unless a seed is given. Raises ExerciseNotSolved when the answer is not
    right, so that "run all" stops there, and ValueError for an unknown exercise. Nothing that the answer does
    (loop, deadlock, exception, a flood of output) takes longer than the exercise's limit or harms the kernel.
    """
    exercise = (registry or Registry()).exercise(exercise_id)
    verdict = assess(exercise, answer, seed)
    note = _remember(exercise, verdict)
    show(CheckView(exercise, verdict, note))
    if not verdict.ok:
        raise ExerciseNotSolved(exercise_id, verdict)
    return ShownVerdict(**asdict(verdict))


def _remember(exercise: Exercise, verdict: Verdict) -> str:
    """Store the attempt; return a note when that was not possible (the verdict stands all the same)."""
    try:
        progress = Progress.load()
        progress.record_attempt(exercise.id, verdict.ok, verdict.points, verdict.reason)
    except (OSError, RuntimeError) as problem:
        return f"Your progress could not be stored: {problem}"
    return progress.notice


def warn_when_hidden() -> None:
    """In a notebook, say so after each cell that hides the course's check behind one of the learner's."""
    shell = _shell()
    if shell is not None:
        shell.events.register("post_run_cell", _say_if_hidden)


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
