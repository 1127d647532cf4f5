"""Every lab: untouched it runs to its end and says what is missing, solved it runs through, each exercise has hints."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sharedstate.authoring import Executions
from sharedstate.authoring.documents import Document
from sharedstate.authoring.source import notebook
from sharedstate.checks import exercises

from .conftest import execution, of_kind

HINT = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.S)
REGION = re.compile(r"### BEGIN (?:SOLUTION|HIDDEN TESTS)\n(.*?)### END", re.S)

pytestmark = pytest.mark.notebook
labs = pytest.mark.parametrize("lab", of_kind("lab"))
solutions = pytest.mark.parametrize("solution", of_kind("solution"))


def tagged(book: Any, prefix: str) -> dict[str, int]:
    """Return {what follows the prefix: position of the first cell with that tag}, in the notebook's order."""
    found: dict[str, int] = {}
    for position, cell in enumerate(book.cells):
        for tag in cell.metadata.get("tags", ()):
            if tag.startswith(prefix):
                found.setdefault(tag.removeprefix(prefix), position)
    return found


def lines(text: str) -> set[str]:
    """Return the lines of a text without blanks and indentation."""
    return {line.strip() for line in text.split("\n") if line.strip()}


@labs
def test_untouched_it_runs_to_its_end_and_every_check_says_what_is_missing(lab: Document, executions: Executions) -> None:
    done = execution(lab, executions)
    assert done.fault is None
    shown = "".join(str(output) for cell in done.book.cells for output in cell.get("outputs", ()))
    for one in exercises(lab.unit):
        assert f'data-check="{one.id}" data-ok="false"' in shown, one.id
    assert shown.count("points, next: ") >= len(exercises(lab.unit))


@labs
def test_holds_no_line_of_its_solution(lab: Document) -> None:
    source = lab.source.read_text(encoding="utf-8")
    secret = set().union(*(lines(region) for region in REGION.findall(source)))
    given = lines(REGION.sub("", source))
    shown = set().union(*(lines(cell.source) for cell in notebook(lab).cells if cell.cell_type == "code"))
    assert secret and (secret - given).isdisjoint(shown)


@solutions
def test_solved_it_runs_through(solution: Document, executions: Executions) -> None:
    done = execution(solution, executions)
    assert done.fault is None
    assert "### " not in "".join(cell.source for cell in done.book.cells if cell.cell_type == "code")


@labs
def test_its_exercises_are_those_that_are_checked(lab: Document) -> None:
    book = notebook(lab)
    wanted = [exercise.id for exercise in exercises(lab.unit)]
    assert list(tagged(book, "exercise:")) == wanted and 3 <= len(wanted) <= 6
    code = "\n".join(cell.source for cell in book.cells if cell.cell_type == "code")
    assert re.findall(r"^check\(\"([\d.]+)\"", code, re.M) == wanted


@labs
def test_each_exercise_has_three_folded_hints(lab: Document) -> None:
    book = notebook(lab)
    hints = tagged(book, "hints:")
    assert list(hints) == list(tagged(book, "exercise:"))
    for exercise, position in hints.items():
        found = HINT.findall(book.cells[position].source)
        assert len(found) == 3, exercise
        assert all(len(text.split()) >= 4 for _, text in found), exercise


@labs
def test_each_exercise_says_its_minutes_difficulty_and_points(lab: Document) -> None:
    prose = "\n".join(cell.source for cell in notebook(lab).cells if cell.cell_type == "markdown")
    for one in exercises(lab.unit):
        heading = re.search(rf"^##+ {re.escape(one.id)} (.+?)\n(.*?)(?=^##|\Z)", prose, re.M | re.S)
        assert heading, one.id
        assert heading[1].strip() == one.title
        words = f"{one.minutes} minutes · difficulty {one.difficulty} of 3 · {one.points:g} point"
        assert words in heading[2]
