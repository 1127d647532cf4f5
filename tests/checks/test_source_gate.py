"""What a cell judged from its source may hold: ordinary fields by name, and no way behind the check."""

from __future__ import annotations

import pytest

from sharedstate.checks import AnswerProblem, exercise
from sharedstate.checks.source_gate import require_allowed

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
