"""Plain data from the explorer, for checks that try a learner's code in every order."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from .shown import PSEUDO
from .types import AnswerProblem

if TYPE_CHECKING:
    from sharedstate.interleave import Scenario, Trace

SECONDS = 3.0
OWN_FILES = ("check.py", PSEUDO)
KEYS = frozenset({"verdict", "schedule"})
IMPORTS = ("threading", "contextlib", "contextvars", "dataclasses", "queue", "concurrent.futures", "time")


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
    shown = _drawn(result.minimal) if result.minimal is not None else None
    return {"verdict": result.verdict, "schedule": shown}


def _drawn(trace: Trace) -> str:
    """Draw a trace as text; a place in a check's own file, or in its copy of the lab's code, is called "the check"."""
    steps = [replace(one, where="the check") if one.where.startswith(OWN_FILES) else one for one in trace.steps]
    return replace(trace, steps=tuple(steps)).show("text").text


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


@contextmanager
def followed(function: object) -> Iterator[None]:
    """Let the explorer look into a function's ExitStack: for a while the name means a stack in plain Python.

    Raises AnswerProblem("not-followed") where the function reaches it by another name (contextlib.ExitStack).
    """
    space = getattr(function, "__globals__", {})
    if space.get("ExitStack") is contextlib.ExitStack:
        space["ExitStack"] = Stack
        try:
            yield
        finally:
            space["ExitStack"] = contextlib.ExitStack
        return
    if "ExitStack" in getattr(getattr(function, "__code__", None), "co_names", ()):
        said = "The check cannot follow this ExitStack. Write `from contextlib import ExitStack`, or use `with`."
        raise AnswerProblem("not-followed", said)
    yield


class Stack:
    """What ExitStack does with locks, context managers and callbacks, written out."""

    def __init__(self) -> None:
        self.endings: list = []

    def __enter__(self) -> Stack:
        return self

    def enter_context(self, manager: object) -> object:
        """Take a lock, or enter a context manager; the end gives it back."""
        if hasattr(manager, "acquire"):
            manager.acquire()
            self.endings.append((manager.release, ()))
            return True
        entered = manager.__enter__()
        self.endings.append((manager.__exit__, (None, None, None)))
        return entered

    def callback(self, function: Callable, *given: object) -> Callable:
        """Call a function at the end."""
        self.endings.append((function, given))
        return function

    def close(self) -> None:
        """Undo everything, the last first."""
        while self.endings:
            function, given = self.endings.pop()
            function(*given)

    def __exit__(self, *error: object) -> None:
        self.close()
