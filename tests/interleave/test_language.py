"""The learner's Python stays Python: a scenario of one thread gives what the function gives when it is called."""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from sharedstate.interleave import Scenario
from tests.interleave.language import PROGRAMS, State

RUNNER = pathlib.Path(__file__).with_name("conformance.py")
ADDRESS = re.compile(r"0x[0-9a-f]+")
SECONDS = 240
LEAST = 0.99
# Modules of CPython's own tests about the language; the plain run of each works on its own.
MODULES = (
    "test_abc", "test_augassign", "test_baseexception", "test_binop", "test_bool", "test_class",
    "test_contains", "test_decorators", "test_defaultdict", "test_dictcomps", "test_dictviews",
    "test_dynamicclassattribute", "test_enumerate", "test_except_star", "test_exception_group",
    "test_exception_variations", "test_fstring", "test_funcattrs", "test_generator_stop", "test_genericclass",
    "test_global", "test_grammar", "test_hash", "test_index", "test_int", "test_isinstance",
    "test_keywordonlyarg", "test_list", "test_named_expressions", "test_opcodes", "test_operator", "test_patma",
    "test_positional_only_arg", "test_property", "test_raise", "test_richcmp", "test_scope",
    "test_string_literals", "test_subclassinit", "test_super", "test_unary", "test_unpack", "test_userdict",
    "test_userlist", "test_with",
)  # fmt: skip
# What is left, on Python 3.11, and why it cannot be the same or is not worth a special case.
KNOWN = {
    "test_enumerate.TestReversed.test_bug1229429": "it counts references",
    "test_enumerate.TestReversed.test_len": "a builtin that is followed gives a generator, which has no length hint",
    "test_funcattrs.FunctionPropertiesTest.test_copying___code__": "a function is given another one's code",
    "test_patma.TestTracing": "which line a tracer sees at the end of a `match` without a case that fits",
    "test_scope.ScopeTests.testLeaks": "what is shared is kept alive to the end of the schedule",
    "test_super.TestSuper.test_obscure_super_errors": "super() after `del self` names another error",
}


def said(function: Callable[[], Any]) -> str:
    """What a call gives, or how it fails, as text."""
    try:
        return ADDRESS.sub("0x", repr(function()))
    except BaseException as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_one_thread_is_plain_python(program: Callable[[State], Any]) -> None:
    plain = said(lambda: program(State()))
    trace = Scenario(State, {"a": program}).play(["a*"])
    answer = trace.answers["a"]
    if isinstance(answer, BaseException):
        raise AssertionError(f"plain Python gives {plain}") from answer
    assert said(lambda: answer) == plain
    assert not plain.startswith(("AssertionError", "NameError", "None"))


def test_the_programs_are_followed(exhaustive: bool) -> None:
    asked = PROGRAMS if exhaustive else PROGRAMS[::4]
    untouched = [p.__name__ for p in asked if not Scenario(State, {"a": p}).play(["a*"]).steps]
    assert len(untouched) < len(asked) // 2  # a program that touches nothing of the state has no step


@pytest.mark.exhaustive
def test_cpythons_own_language_tests(tmp_path: pathlib.Path) -> None:
    """Each method that passes plainly passes as a one-thread scenario, but for one in a hundred."""
    folder = pathlib.Path(importlib.util.find_spec("test").origin).parent if importlib.util.find_spec("test") else None
    here = [name for name in MODULES if folder is not None and (folder / f"{name}.py").exists()]
    if not here:
        pytest.skip("needs Python 3.11 or later with its own tests (the package `test` is not installed)")
    assert len(here) >= 45
    passed, total, left = 0, 0, []
    for name in here:
        shutil.copy(folder / f"{name}.py", tmp_path / f"copied_{name}.py")
        result = subprocess.run(
            [sys.executable, RUNNER, f"copied_{name}"], cwd=tmp_path, timeout=SECONDS, check=True, text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}, capture_output=True,
        )  # fmt: skip
        found = json.loads(result.stdout.splitlines()[-1])
        passed, total = passed + found["passed"], total + found["total"]
        left += [f"{name}.{line}" for line in found["left"]]
    assert total > 1_500
    lines = [
        f"{line} ({next((why for name, why in KNOWN.items() if line.startswith(name)), 'unknown')})" for line in left
    ]
    assert passed >= LEAST * total, f"{passed} of {total}:\n" + "\n".join(lines)
