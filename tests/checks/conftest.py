"""What the tests of the checks share: the fake unit, notebooks made from cells, a my-labs/ that goes away."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sharedstate.checks import Registry

HERE = str(Path(__file__).parent)


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[Registry]:
    """A registry with unit 90 alone (fake_unit.py)."""
    sys.path.insert(0, HERE)
    yield Registry(importlib.import_module("fake_unit").build(tmp_path / "course" / "90_fake"))
    sys.path.remove(HERE)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """my-labs/ in a temporary folder."""
    monkeypatch.setenv("SHAREDSTATE_MY_LABS", str(tmp_path / "my-labs"))
    return tmp_path / "my-labs"


@pytest.fixture
def notebook(tmp_path: Path) -> Callable[..., Path]:
    """Write a notebook from code cells; a cell may be (source, tag)."""
    def write(*cells: str | tuple[str, str]) -> Path:
        pairs = [cell if isinstance(cell, tuple) else (cell, "") for cell in cells]
        data = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
            {"cell_type": "code", "source": s, "metadata": {"tags": [t] if t else []}} for s, t in pairs]}
        path = tmp_path / "90_fake.ipynb"
        path.write_text(json.dumps(data), encoding="utf-8")
        return path
    return write
