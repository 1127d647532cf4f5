"""Every lesson runs headless from top to bottom, keeps the style, and is stored as its source says."""

from __future__ import annotations

import pytest

from sharedstate.authoring import Executions, build
from sharedstate.authoring.documents import Document
from sharedstate.authoring.style import bare_images, findings, shape, targets, untagged

from .conftest import execution, of_kind

pytestmark = [pytest.mark.notebook, pytest.mark.parametrize("lesson", of_kind("lesson"))]


def test_runs_from_top_to_bottom(lesson: Document, executions: Executions) -> None:
    done = execution(lesson, executions)
    assert done.fault is None
    counts = [cell.execution_count for cell in done.book.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))


def test_keeps_the_targets_of_style(lesson: Document, executions: Executions) -> None:
    assert findings(shape(execution(lesson, executions).book), targets(lesson.unit)) == []


def test_every_cell_is_core_or_deeper(lesson: Document, executions: Executions) -> None:
    assert untagged(execution(lesson, executions).book) == []


def test_under_every_picture_stands_a_line_of_text(lesson: Document, executions: Executions) -> None:
    assert bare_images(execution(lesson, executions).book) == []


def test_no_cell_is_both_stable_and_measured(lesson: Document, executions: Executions) -> None:
    tags = [set(cell.metadata.get("tags", ())) for cell in execution(lesson, executions).book.cells]
    assert [n for n, named in enumerate(tags, 1) if {"stable", "measured"} <= named] == []


def test_the_stored_notebooks_are_what_the_sources_say(lesson: Document, executions: Executions) -> None:
    problems = build([lesson.unit], check=True, tell=lambda line: None, executions=executions)
    assert [str(problem) for problem in problems] == []
