"""`assert_proved`: passes on a proof only, and says in each other case what was found and what to do."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
from programs import Checker, Counter, HalfLocalChecker, LockChecker, LockCounter

from sharedstate.interleave import Scenario
from sharedstate.interleave.testing import assert_proved

EXAMPLES = Path(__file__).parent / "examples"


def counting(kind: type, names: str = "ab") -> Scenario:
    """Return a scenario in which each thread adds one."""
    return Scenario(kind, {n: lambda c: c.add() for n in names}, lambda c, _: c.n != len(names))


def checking(kind: type) -> Scenario:
    """Return the two visitors at one checker."""
    threads = {"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")}
    return Scenario(lambda: kind("s3cret"), threads, lambda c, answers: answers["mallory"])


def refusal(scenario: Scenario, **options: object) -> str:
    """Return the text of the AssertionError."""
    with pytest.raises(AssertionError) as caught:
        assert_proved(scenario, **options)
    return str(caught.value)


def test_a_proof_passes_and_comes_back() -> None:
    result = assert_proved(counting(LockCounter))
    assert result.verdict == "proved"
    assert assert_proved(checking(LockChecker)).verdict == "proved"


def test_a_broken_program_shows_its_schedule_with_values_token_and_replay() -> None:
    room = counting(Counter)
    text = refusal(room)
    token = room.explore().minimal.token
    assert text.startswith("broken: 4 of 4 classes")
    assert text.count("reads n 0") == 2 and text.count("writes n 1") == 2
    assert f"scenario.replay({token!r}).show()" in text and "confirmed on real threads" in text
    assert room.replay(token).violated


def test_a_half_fix_does_not_pass() -> None:
    assert "reads result True" in refusal(checking(HalfLocalChecker))


def test_a_deadlock_has_its_own_text() -> None:
    text = refusal(example("failing").desk)
    assert text.startswith("deadlock: ") and "held by ann" in text and "held by ben" in text
    assert "Replay it:" in text


def test_nothing_shared_is_proved() -> None:
    result = assert_proved(example("nothing_shared").sums)
    assert result.coverage == "nothing is shared"


def test_code_whose_source_cannot_be_found_never_passes() -> None:
    """A racy counter made by exec: its calls would look like one step each, and nothing would be shown."""
    made: dict = {}
    exec("class C:\n    n = 0\n    def add(self): self.n += 1\ndef run(c): c.add()", made)
    text = refusal(Scenario(made["C"], {"a": made["run"], "b": made["run"]}, lambda c, _: c.n != 2))
    assert text.startswith("not instrumented") and "in a file that can be read" in text


def test_running_out_says_so() -> None:
    text = refusal(counting(LockCounter, "abc"), executions=5)
    assert text.startswith("ran out") and "nothing is proved" in text and "executions=" in text


def test_a_bound_passes_only_when_it_is_asked_for() -> None:
    text = refusal(checking(LockChecker), preemptions=0)
    assert text.startswith("bounded") and "accept_bounded=True" in text
    assert assert_proved(checking(LockChecker), preemptions=0, accept_bounded=True).verdict == "bounded"
    assert "broken" in refusal(checking(Checker), preemptions=1, accept_bounded=True)
    assert "ran out" in refusal(checking(LockChecker), executions=1, accept_bounded=True)


def test_a_program_that_is_not_deterministic() -> None:
    class Clock:
        """Its answer depends on when it was asked."""

        def __init__(self) -> None:
            self.at = 0.0

        def tick(self) -> float:
            self.at = time.perf_counter()
            return self.at

    text = refusal(Scenario(Clock, {"a": lambda c: c.tick(), "b": lambda c: c.tick()}))
    assert text.startswith("not deterministic") and "random numbers" in text


def test_assumptions_can_be_refused() -> None:
    """A call that is neither followed nor known could reach what it is given."""
    words = Scenario(list, {"a": lambda w: tomllib.load(w), "b": lambda w: w.append("b")}, exceptions="answers")
    text = refusal(words)
    assert text.startswith("proved if") and "follow=[" in text
    result = assert_proved(words, accept_assumptions=True)
    assert result.assumptions[0] in text
    assert assert_proved(counting(LockCounter)).assumptions == ()


def test_something_else_than_a_scenario_is_refused() -> None:
    with pytest.raises(TypeError, match="takes a Scenario, not Result"):
        assert_proved(counting(LockCounter).explore())


SUITE = """
import sys
from sharedstate.interleave.testing import assert_proved
sys.path.insert(0, {folder!r})
import {module}

{cases}
"""
UNITTEST = """
import unittest

class T(unittest.TestCase):
    def test_it(self):
        assert_proved({module}.{name})
        self.assertNotIn('pytest', sys.modules)

unittest.main()
"""


def suite(folder: Path, module: str, name: str, cases: str) -> Path:
    """Write a test file of a learner's."""
    text = SUITE.format(folder=str(EXAMPLES), module=module, cases=cases.format(module=module, name=name))
    (folder / "test_mine.py").write_text(text)
    return folder / "test_mine.py"


@pytest.mark.parametrize(
    ("module", "name", "code"),
    [("passing", "room", 0), ("failing", "desk", 1), ("nothing_shared", "sums", 0)],
)
def test_under_unittest_without_pytest(tmp_path: Path, module: str, name: str, code: int) -> None:
    file = suite(tmp_path, module, name, UNITTEST)
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert ("FAILED (failures=1)" in done.stderr) == bool(code)


@pytest.mark.parametrize(
    ("module", "name", "shown"),
    [("passing", "room", ""), ("failing", "make_counter()", "reads n 0"),
     ("nothing_shared", "sums", "")],
)  # fmt: skip
def test_under_pytest(tmp_path: Path, module: str, name: str, shown: str) -> None:
    file = suite(tmp_path, module, name, "def test_it():\n    assert_proved({module}.{name})\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, str(file)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == bool(shown), done.stdout
    assert shown in done.stdout
    assert "def assert_proved" not in done.stdout, "the helper's own lines stay out of the report"


def example(name: str) -> object:
    """Import one of the learner's files."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        return __import__(name)
    finally:
        sys.path.remove(str(EXAMPLES))
