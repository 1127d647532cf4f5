"""Plain data from the explorer, for checks that try a learner's code in every order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sharedstate.checks.types import AnswerProblem

if TYPE_CHECKING:
    from sharedstate.interleave import Scenario

SECONDS = 3.0
KEYS = frozenset({"verdict", "schedule"})
IMPORTS = ("threading", "contextlib", "contextvars", "dataclasses", "queue", "concurrent.futures", "time")
STACKS = frozenset({"ExitStack", "enter_context"})


def explored(room: Scenario) -> dict[str, object]:
    """Return the verdict, and the shortest failing schedule as text (None where nothing fails).

    Raises AnswerProblem("hidden-state") for an answer that keeps something from one run to the next, where no new
    object can undo it: on its class, in its module.
    """
    from sharedstate.interleave.execution import SetupNotReset

    try:
        result = room.explore("dpor", seconds=SECONDS, first=True)
    except SetupNotReset as problem:
        said = f"Something outlives the object that was made for one run: {str(problem).partition(': ')[0]}. Make it in"
        raise AnswerProblem("hidden-state", f"{said} `__init__`, for each object anew.") from None
    shown = result.minimal.show("text").text if result.minimal is not None else None
    return {"verdict": result.verdict, "schedule": shown}


def readable(value: object) -> bool:
    """True for a value of `explored`, exactly."""
    return (type(value) is dict and {*value} == KEYS and type(value["verdict"]) is str
            and type(value["schedule"]) in (str, type(None)))


def schedule_of(value: Mapping[str, object]) -> str | None:
    """Return the schedule of an explored value."""
    text = value["schedule"]
    return text if type(text) is str else None


def require_methods(kind: object, *names: str) -> None:
    """Raise AnswerProblem("untouched") for a class that lacks a method it should have."""
    missing = [name for name in names if not callable(getattr(kind, name, None))]
    if missing:
        raise AnswerProblem("untouched", f"`{kind.__name__}` has no {'() and no '.join(missing)}() yet.")


def require_followed(function: object) -> None:
    """Raise AnswerProblem("not-followed") for a function with an ExitStack, which the explorer cannot look into."""
    names = getattr(getattr(function, "__code__", None), "co_names", ())
    if STACKS & {*names}:
        said = "The check cannot follow an ExitStack from step to step. Take the locks with `with` or acquire()."
        raise AnswerProblem("not-followed", said)
