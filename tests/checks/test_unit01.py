"""Lab 01: every exercise's judge says the right thing about right and wrong answers."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from types import MappingProxyType

import pytest

from sharedstate import paths
from sharedstate.checks import Case, assess, exercise, exercises
from sharedstate.checks.unit01_accesses import TRUTH
from sharedstate.checks.unit01_schedule import VaultChecker

UNIT = paths.root() / "course" / "01_passcode_race"
SEEDS = (0, 1, 20)


def answer_of(path: Path) -> object:
    """Run one bank file and return the answer that it defines."""
    found: dict[str, object] = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), found)
    return found[exercise(path.name[:4]).answer]


def header(path: Path) -> MappingProxyType[str, str]:
    """Return the comments at the head of a bank file."""
    lines = re.findall(r"^# ([a-z ]+): (.*)$", path.read_text(encoding="utf-8"), re.M)
    return MappingProxyType(dict(lines))


def bank(folder: str) -> list[object]:
    """Return every file of one half of the bank as a test parameter."""
    return [pytest.param(path, id=path.stem) for path in sorted((UNIT / folder).glob("*.py"))]


@pytest.mark.parametrize("path", bank("wrong_answers"))
def test_wrong_answers_are_rejected_for_their_reason(path: Path) -> None:
    told = header(path)
    one = exercise(told["exercise"])
    for seed in SEEDS[:2]:
        verdict = assess(one, answer_of(path), seed)
        assert (verdict.ok, verdict.reason) == (False, told["reason"]), verdict.message
        assert verdict.points < one.points


@pytest.mark.parametrize("path", bank("wrong_answers"))
def test_the_visible_example_is_passed_as_the_file_says(path: Path) -> None:
    told = header(path)
    verdict = assess(exercise(told["exercise"]), answer_of(path), 0, visible_only=True)
    assert verdict.ok is (told["passes the visible example"] == "yes"), verdict.message


@pytest.mark.parametrize("path", bank("right_answers"))
def test_right_answers_get_all_points(path: Path) -> None:
    one = exercise(header(path)["exercise"])
    for seed in SEEDS:
        verdict = assess(one, answer_of(path), seed)
        assert verdict.ok, verdict.message
        assert verdict.points == one.points


@pytest.mark.parametrize("one", exercises("01"), ids=lambda one: one.id)
def test_an_untouched_answer_is_called_untouched(one: object) -> None:
    assert assess(one, ...).reason == "untouched"


@pytest.mark.parametrize("one", exercises("01"), ids=lambda one: one.id)
def test_cases_are_the_same_for_the_same_seed(one: object) -> None:
    assert one.cases(7) == one.cases(7)
    assert sum(case.visible for case in one.cases(7)) == 1
    assert all(Case.from_json(case.to_json()) == case for case in one.cases(7))


@pytest.mark.parametrize("number", ["01.1", "01.3", "01.4", "01.5"])
def test_hidden_cases_vary_with_the_seed(number: str) -> None:
    assert exercise(number).cases(1) != exercise(number).cases(2)


def test_the_failing_schedule_is_shown_for_the_race() -> None:
    verdict = assess(exercise("01.1"), ["mallory", "alice*", "mallory*"], 0)
    assert verdict.reason == "still-refused"
    assert "candidate" in verdict.schedule


def test_two_switches_are_the_fewest() -> None:
    from sharedstate.checks.unit01_schedule import FEWEST, _room

    minimal = _room(VaultChecker, "s3cret", "guess").explore(strategy="preemptions", preemptions=2).minimal
    assert (minimal.preemptions, minimal.switches) == (1, FEWEST)


def lab_classes() -> dict[str, ast.ClassDef]:
    """Return the classes that the lab's cells define."""
    tree = ast.parse((UNIT / "lab.py").read_text(encoding="utf-8"))
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def without_hints(node: ast.ClassDef) -> str:
    """Return a class as text, without docstrings and annotations."""
    for part in ast.walk(node):
        if isinstance(part, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(part):
            part.body = part.body[1:]
        if isinstance(part, ast.FunctionDef):
            part.returns = None
        if isinstance(part, ast.arg):
            part.annotation = None
    return ast.unparse(node)


def test_the_lab_shows_the_class_that_is_judged() -> None:
    judged = ast.parse(inspect.getsource(VaultChecker)).body[0]
    assert without_hints(lab_classes()["VaultChecker"]) == without_hints(judged)


@pytest.mark.parametrize("name", TRUTH)
def test_the_listed_accesses_are_those_of_the_lab(name: str) -> None:
    """Run the lab's own method on an object that records every access."""
    log: list[str] = []

    class Recorder(type):
        def __getattribute__(cls, field: str) -> object:
            if not field.startswith("__") and field != "enter" and field != "issue":
                log.append(f"read {field}")
            return super().__getattribute__(field)

        def __setattr__(cls, field: str, value: object) -> None:
            log.append(f"write {field}")
            super().__setattr__(field, value)

    class Recorded(metaclass=Recorder):
        def __getattribute__(self, field: str) -> object:
            if field in ("total", "limit", "owner", "last"):
                log.append(f"read {field}")
            return object.__getattribute__(self, field)

        def __setattr__(self, field: str, value: object) -> None:
            log.append(f"write {field}")
            object.__setattr__(self, field, value)

    node = lab_classes()[name]
    node.bases = [ast.Name("Recorded", ast.Load())]
    scope: dict[str, object] = {"Recorded": Recorded}
    exec(compile(ast.fix_missing_locations(ast.Module([node], [])), "lab.py", "exec"), scope)
    instance = scope[name](3) if name == "Visits" else scope[name]()
    log.clear()
    (instance.issue if name == "Badge" else instance.enter)("ada")
    assert tuple(log) == TRUTH[name]
