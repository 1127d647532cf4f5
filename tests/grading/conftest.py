"""What the tests of grading share: the small unit 90 of the checks' tests, and folders of submissions for it."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sharedstate.checks.grader import Limits
from sharedstate.grading.submissions import submissions
from sharedstate.grading.work import Job

CHECKS = str(Path(__file__).parents[1] / "checks")  # fake_unit.py lies there
LIMITS = Limits(cell=4.0, total=40.0, restarts=2)


@pytest.fixture
def course(tmp_path: Path) -> Iterator[Path]:
    """A course/ with unit 90 alone."""
    sys.path.insert(0, CHECKS)
    yield importlib.import_module("fake_unit").build(tmp_path / "course" / "90_fake")
    sys.path.remove(CHECKS)


@pytest.fixture
def jobs_of(course: Path) -> Callable[..., list[Job]]:
    """Read a folder of submissions for unit 90, as jobs with a seed."""
    def read(folder: Path, seed: int = 5, limits: Limits = LIMITS) -> list[Job]:
        return [Job(one, seed, limits, str(course), (CHECKS,)) for one in submissions(folder)]

    return read


def notebook(*sources: str) -> str:
    """Return a notebook with these code cells, as text."""
    cells = [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


def put(folder: Path, name: str, *sources: str) -> Path:
    """Write a notebook of unit 90 into a folder; its own folder is made where the name has one."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebook(*sources), encoding="utf-8")
    return path
