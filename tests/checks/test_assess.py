"""Whatever an answer leaves behind ends in a message: errors with a mind of their own, numbers of other libraries."""

from __future__ import annotations

import re
import time
from collections import Counter, namedtuple
from fractions import Fraction

import numpy as np
import pytest

from sharedstate.checks import AnswerProblem, assess, exercise
from sharedstate.checks.assess import plain, problem_of
from sharedstate.checks.guard import Outcome
from sharedstate.checks.source_gate import require_allowed
from sharedstate.checks.types import Verdict


class Endless(Exception):
    """Never stops telling what is wrong."""

    def __str__(self) -> str:
        while True:
            pass


class Leaving(Exception):
    """Ends Python when asked what is wrong."""

    def __str__(self) -> str:
        raise SystemExit


def judged(error: Exception) -> Verdict:
    def answer(*_: object) -> float:
        raise error

    return assess(exercise("01.5"), answer, 1)


@pytest.mark.parametrize("error", [Endless(), Leaving()], ids=["endless", "leaving"])
def test_an_error_that_cannot_say_what_it_is(error: Exception) -> None:
    begin = time.monotonic()
    verdict = judged(error)
    assert verdict.reason == "exception"
    assert f"It raised {type(error).__name__}: (no text)" in verdict.message
    assert time.monotonic() - begin < 20  # it was endless before, so any bound shows the difference


def test_an_ordinary_error_keeps_its_words() -> None:
    assert "It raised KeyError: 'gap'" in judged(KeyError("gap")).message


def test_who_computes_too_long_is_told_why_and_is_not_called_a_deadlock() -> None:
    slow = exercise("03.2").when_slow
    stuck = problem_of(Outcome("stuck", busy=True), 10, slow)
    assert stuck.reason == "timeout" and "still computing" in stuck.message and slow in stuck.message
    assert problem_of(Outcome("stuck"), 10, slow).reason == "stuck"
    assert problem_of(Outcome("stopped"), 10).message.endswith("Does a loop never end?")
    assert problem_of(Outcome("stopped"), 10, slow).message.endswith(slow)


def test_a_truth_value_or_number_of_another_library_is_taken_for_what_it_is() -> None:
    assert assess(exercise("04.3"), lambda attend: np.bool_(True), 1).reason == "accuses-the-innocent"
    named = namedtuple("Pair", "one two")(np.int64(3), Fraction(1, 2))
    assert plain({"a": named, "b": Counter("aa")}) == {"a": [3, 0.5], "b": {"a": 2}}


@pytest.mark.parametrize(("value", "words"), [
    (np.arange(3), "Its .tolist() gives plain numbers."), ({1, 2}, "an object of type set"),
    ({1: 2}, "a dict with keys that are not texts")])
def test_what_is_not_plain_is_told_how_to_become_so(value: object, words: str) -> None:
    with pytest.raises(AnswerProblem, match=re.escape(words)):
        plain(value)


# -- What a cell judged from its source may hold: ordinary fields by name, and no way behind the check.


KEY = "from operator import attrgetter\n"
FINE = (
    'def f(a):\n    return getattr(a, "user", None)',
    'def f(a):\n    setattr(a, "user", 1)\n    delattr(a, "user")',
    'def f(a):\n    object.__setattr__(a, "correct", 1)',
    'class A:\n    def __init__(self):\n        super().__setattr__("correct", 1)',
    'class A:\n    __slots__ = ("correct",)\n    def __new__(cls):\n        return super().__new__(cls)',
    KEY + 'by_number = attrgetter("number")', KEY + 'by_both = attrgetter("number", "balance")',
    "from typing import NamedTuple", "from contextlib import ExitStack, contextmanager", "from threading import RLock",
)  # fmt: skip
REFUSED = (
    'def f(a):\n    return getattr(a, "__globals__")', "def f(a, name):\n    return getattr(a, name)", "look = getattr",
    'def f(a):\n    return getattr(a, "gi_frame")', "def f(a):\n    return getattr(*a)",
    "def f(a, name):\n    object.__setattr__(a, name, 1)", "write = object.__setattr__",
    'def f(a):\n    object.__setattr__(a, "__globals__", 1)', "def f(a):\n    super().__setattr__(*a)",
    KEY + 'by = attrgetter("number", "__class__.__subclasses__")', KEY + 'by = attrgetter("a" + "b")',
    KEY + "by = attrgetter",
    "from operator import attrgetter as by", "import operator\nby = operator.attrgetter",
    "import operator\nby = operator.attrgetter('__globals__')", "from dataclasses import builtins",
    "import dataclasses\nrun = dataclasses.builtins", "import dataclasses\nlook = dataclasses.inspect",
    "from contextlib import wraps", "from typing import get_type_hints", "from threading import *",
)  # fmt: skip


@pytest.mark.parametrize("source", FINE)
def test_ordinary_fields_and_helpers_are_welcome(source: str) -> None:
    require_allowed(exercise("02.1"), source)


@pytest.mark.parametrize("source", REFUSED)
def test_what_reaches_behind_the_check_is_refused(source: str) -> None:
    with pytest.raises(AnswerProblem) as problem:
        require_allowed(exercise("02.1"), source)
    assert problem.value.reason == "not-allowed" and "Line " in problem.value.message
