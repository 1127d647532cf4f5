"""Every lab and every lesson: an untouched lab runs to its end and can be solved, the lesson runs and keeps the style."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sharedstate.authoring import Executions, build
from sharedstate.authoring.documents import Document
from sharedstate.authoring.source import notebook
from sharedstate.authoring.style import bare_images, findings, lab_size, shape, targets, untagged
from sharedstate.checks import exercises

from tests.notebooks.conftest import execution, of_kind

HINT = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.S)
REGION = re.compile(r"### BEGIN (?:SOLUTION|HIDDEN TESTS)\n(.*?)### END", re.S)

pytestmark = pytest.mark.notebook
labs = pytest.mark.parametrize("lab", of_kind("lab"))
solutions = pytest.mark.parametrize("solution", of_kind("solution"))
lessons = pytest.mark.parametrize("lesson", of_kind("lesson"))


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
    assert list(tagged(book, "exercise:")) == wanted and len(wanted) in lab_size(lab.unit)
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


# -- Every lesson runs headless from top to bottom, keeps the style, and is stored as its source says.


@lessons
def test_runs_from_top_to_bottom(lesson: Document, executions: Executions) -> None:
    done = execution(lesson, executions)
    assert done.fault is None
    counts = [cell.execution_count for cell in done.book.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))


@lessons
def test_keeps_the_targets_of_style(lesson: Document, executions: Executions) -> None:
    assert findings(shape(execution(lesson, executions).book), targets(lesson.unit)) == []


@lessons
def test_every_cell_is_core_or_deeper(lesson: Document, executions: Executions) -> None:
    assert untagged(execution(lesson, executions).book) == []


@lessons
def test_under_every_picture_stands_a_line_of_text(lesson: Document, executions: Executions) -> None:
    assert bare_images(execution(lesson, executions).book) == []


@lessons
def test_no_cell_is_both_stable_and_measured(lesson: Document, executions: Executions) -> None:
    tags = [set(cell.metadata.get("tags", ())) for cell in execution(lesson, executions).book.cells]
    assert [n for n, named in enumerate(tags, 1) if {"stable", "measured"} <= named] == []


@lessons
def test_the_stored_notebooks_are_what_the_sources_say(lesson: Document, executions: Executions) -> None:
    problems = build([lesson.unit], check=True, tell=lambda line: None, executions=executions)
    assert [str(problem) for problem in problems] == []
