"""Exercises about schedules: a learner's code tried in every order, or a learner's schedule played on our code."""

from __future__ import annotations

import contextlib
import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar, TypeGuard

from sharedstate.interleave import Scenario, Trace
from sharedstate.interleave.execution import SetupNotReset

from .shown import PSEUDO
from .types import AnswerProblem, Case, Exercise, Verdict, is_record

SECONDS = 3.0
OWN_FILES = ("check.py", PSEUDO)
SHOWN = 120
KEYS = frozenset({"verdict", "schedule", "answers", "raised"})
IMPORTS = ("threading", "contextlib", "contextvars", "dataclasses", "queue", "concurrent.futures", "time")


def explored(room: Scenario) -> dict[str, Any]:
    """Return the verdict, and the shortest failing schedule as text (None where nothing fails).

    Raises AnswerProblem("hidden-state") for an answer that keeps something from one run to the next, where no new
    object can undo it: on its class, in its module.
    """
    try:
        result = room.explore("dpor", seconds=SECONDS, first=True)
    except SetupNotReset as problem:
        said = f"Something outlives the object that was made for one run: {str(problem).partition(': ')[0]}. Make it in"
        raise AnswerProblem("hidden-state", f"{said} `__init__`, for each object anew.") from None
    trace = result.minimal
    if trace is None:
        return {"verdict": result.verdict, "schedule": None, "answers": {}, "raised": None}
    raised = [f"{type(one).__name__}: {one}" for one in trace.answers.values() if isinstance(one, BaseException)]
    answers = {str(name): repr(one)[:SHOWN] for name, one in trace.answers.items()}
    return {"verdict": result.verdict, "schedule": _drawn(trace), "answers": answers,
            "raised": raised[0][:SHOWN] if raised else None}


def _drawn(trace: Trace) -> str:
    """Draw a trace as text; a place in a check's own file, or in its copy of the lab's code, is called "the check"."""
    steps = [replace(one, where="the check") if one.where.startswith(OWN_FILES) else one for one in trace.steps]
    return replace(trace, steps=tuple(steps)).show("text").text


Slip = tuple[str, str, float]  # reason, words, points


class Explored(Exercise):
    """`run` returns what `explored` returns, and the judge goes by the explorer's verdict."""

    def by_verdict(self, value: object, praise: str, slips: Mapping[str, Slip], otherwise: Slip, what: str) -> Verdict:
        """Right where all orders were proved; else the slip of this verdict. {verdict} stands for it in the words."""
        if not readable(value):
            return self.unseen(what)
        if value["verdict"] == "proved":
            return self.right(praise)
        if value["raised"] is not None and value["verdict"] == "broken":
            return self.wrong("raises", f"In this order a call raises {value['raised']}.", schedule=value["schedule"])
        reason, said, points = slips.get(value["verdict"], otherwise)
        return self.wrong(reason, said.replace("{verdict}", value["verdict"]), points, value["schedule"])


def readable(value: object) -> TypeGuard[dict[str, Any]]:
    """True for a value of `explored`, exactly."""
    return (is_record(value, KEYS) and type(value["verdict"]) is str
            and type(value["schedule"]) in (str, type(None)) and type(value["raised"]) in (str, type(None))
            and type(value["answers"]) is dict)


def require_methods(kind: type, *names: str) -> None:
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

    def enter_context(self, manager: Any) -> object:
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


# --- a schedule that a learner wrote


FEWEST, LONGEST = 2, 40
PLAYERS = ("alice", "mallory")
WORD = re.compile(rf"\s*({'|'.join(PLAYERS)})\s*(\*\s*\d{{0,3}}\s*)?", re.ASCII)


class LetsMalloryIn(Exercise):
    """The answer is a list of words for `play`, which lets Mallory in with a wrong passcode, in the fewest switches.

    A case's inputs are "checker", the name of one of `checkers`, and the passcodes "right" and "wrong".
    unplayable: the reason for words that cannot be played. example_asks_all: False where the lab's example asks only
    whether Mallory gets in. too_many: what to tell whose schedule has too many {switches}.
    """

    checkers: ClassVar[Mapping[str, type]]
    praise: ClassVar[str]
    too_many: ClassVar[str]
    unplayable: ClassVar[str] = "not-possible"
    example_asks_all: ClassVar[bool] = True

    def run(self, answer: Any, case: Case) -> object:
        """Return the words as they are: the schedule is played where it is judged."""
        return answer

    def judge(self, case: Case, value: object) -> Verdict:
        """Play the words: Mallory is in, everybody finishes, and nobody switches without need."""
        given = case.inputs
        checker = self.checkers[given["checker"]]
        bad = bad_word(value)
        if bad is not None or not isinstance(value, list):
            return self.wrong("bad-word", f"{self.where(case)}{bad}")
        try:
            trace = mallory_at(checker, given["right"], given["wrong"]).play(value)
        except ValueError as problem:
            return self.wrong(self.unplayable, f"{self.where(case)}This schedule cannot be played: {problem}")
        found = self._slip(case, trace)
        if found is None:
            return self.right(self.praise)
        reason, said, points = found
        return self.wrong(reason, f"{self.where(case)}{said}", points, _drawn_at(checker.__name__, trace))

    def _slip(self, case: Case, trace: Trace) -> Slip | None:
        if trace.answers.get("mallory") is not True:
            return self.refused(case, trace)
        if case.visible and not self.example_asks_all:
            return None
        if not trace.finished:
            return self.unfinished(case)
        switches = trace.switches
        return ("not-minimal", self.too_many.format(switches=switches), 1.0) if switches > FEWEST else None

    def where(self, case: Case) -> str:
        """Return what every message begins with."""
        return ""

    @abstractmethod
    def refused(self, case: Case, trace: Trace) -> Slip:
        """Say what to tell whose Mallory is refused, or has no answer."""

    @abstractmethod
    def unfinished(self, case: Case) -> Slip:
        """Say what to tell who leaves somebody standing."""


def mallory_at(checker: type, right: str, wrong: str) -> Scenario:
    """Alice with the right passcode and Mallory with a wrong one at one checker."""
    calls = {"alice": lambda c: c.check(right), "mallory": lambda c: c.check(wrong)}
    return Scenario(lambda: checker(right), calls, never=lambda state, answers: answers["mallory"] is True)


def bad_word(value: object) -> str | None:
    """Say what is wrong with the first thing in a schedule that is no word of it; None when all are."""
    if type(value) is not list:
        return f"{value!r} is no list of words such as 'alice*3' or 'mallory*'."
    if not 0 < len(value) <= LONGEST:
        return f"A list of {len(value)} words is no schedule: write 1 to {LONGEST}."
    bad = [word for word in value if type(word) is not str or not WORD.fullmatch(word)]
    return _told(bad[0]) if bad else None


def _told(word: object) -> str:
    name = word.partition("*")[0].strip() if type(word) is str else ""
    if name.isidentifier() and name not in PLAYERS:
        return f"{word!r}: nobody here is called {name!r}, only 'alice' and 'mallory'."
    return f"{word!r} is no word of a schedule. Write 'alice*3' or 'mallory*'."


def _drawn_at(place: str, trace: Trace) -> str:
    """Draw a trace with the class's name for each place: the check plays its own copy of the lab's class."""
    steps = tuple(replace(step, where=place) for step in trace.steps)
    return replace(trace, steps=steps, here="", token="").show("text").text
