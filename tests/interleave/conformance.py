"""Run the methods of one of CPython's test modules plainly and as one-thread scenarios: `python conformance.py MODULE`.

The last line that it prints is a JSON object: how many methods pass plainly (`total`), how many of these pass as
a scenario too (`passed`), and what became of the others (`left`).
"""

from __future__ import annotations

import importlib
import json
import signal
import sys
import types
import unittest
from collections.abc import Iterator
from typing import Any

from sharedstate.interleave import Scenario

PLAIN_SECONDS, SCENARIO_SECONDS = 5, 20


class TooLongError(BaseException):
    """A method ran out of its time."""


def _alarm(number: int, frame: types.FrameType | None) -> None:
    raise TooLongError


def cases(module: types.ModuleType) -> Iterator[tuple[type[unittest.TestCase], str]]:
    """The test classes that the module itself defines, with their methods."""
    for cls in list(vars(module).values()):
        if isinstance(cls, type) and issubclass(cls, unittest.TestCase) and cls.__module__ == module.__name__:
            for name in unittest.TestLoader().getTestCaseNames(cls):
                yield cls, name


def passes_plainly(cls: type[unittest.TestCase], name: str) -> bool:
    """Whether the method passes, unskipped, within its time."""
    result = unittest.TestResult()
    signal.alarm(PLAIN_SECONDS)
    try:
        cls(name).run(result)
    except BaseException:
        return False
    finally:
        signal.alarm(0)
    return result.wasSuccessful() and not result.skipped


def problem(cls: type[unittest.TestCase], name: str) -> str:
    """What goes wrong with a method as a one-thread scenario; an empty string if nothing does."""

    def make() -> unittest.TestCase:
        case = cls(name)
        cls.setUpClass()
        case.setUp()
        return case

    reached = []

    def body(case: Any) -> None:
        getattr(case, name)()
        reached.append(True)

    signal.alarm(SCENARIO_SECONDS)
    try:
        trace = Scenario(make, {"a": body}).play(["a*"])
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
    answer = trace.answers.get("a", trace)
    if isinstance(answer, BaseException):
        return f"{type(answer).__name__}: {answer}"
    return "" if answer is None and reached else "it did not come to its end"


def main(name: str) -> None:
    """Run one module."""
    signal.signal(signal.SIGALRM, _alarm)
    module = importlib.import_module(name)
    total, left = 0, []
    for cls, method in cases(module):
        if passes_plainly(cls, method):
            total += 1
            if said := problem(cls, method):
                left.append(f"{cls.__name__}.{method}: {' '.join(said.split())[:200]}")
    print(json.dumps({"total": total, "passed": total - len(left), "left": left}))


if __name__ == "__main__":
    main(sys.argv[1])
