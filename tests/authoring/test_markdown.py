"""The texts of the course: a power of Python's in running text would be taken for bold."""

from __future__ import annotations

import re
from pathlib import Path

import jupytext
import pytest

from sharedstate import paths

SOURCES = sorted(path for folder in paths.units().values() for path in folder.glob("l*.py"))
NO_TEXT = re.compile(r"```.*?```|`[^`]*`|\$[^$]*\$|<(code|pre)>.*?</\1>", re.DOTALL)
POWER = re.compile(r"[\w)]\*\*[\w(]")


def powers(text: str) -> list[str]:
    """Return each place of a Markdown text where two stars between letters or digits stand outside code."""
    plain = NO_TEXT.sub(" ", text)
    return [plain[max(0, found.start() - 10):found.end() + 10] for found in POWER.finditer(plain)]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_power_stands_outside_backticks(path: Path) -> None:
    cells = jupytext.read(path).cells
    assert cells
    assert [place for cell in cells if cell.cell_type == "markdown" for place in powers(cell.source)] == []


@pytest.mark.parametrize(("text", "count"), [
    ("from 0 to 2**64, and 2**32 are not enough", 2), ("`2**64` and <code>2**32</code>, **bold**, **1**.", 0),
    ("```\n2**64\n```", 0), ("Master (below 2**(n))", 1)])
def test_powers_are_found_in_text_and_not_in_code(text: str, count: int) -> None:
    assert len(powers(text)) == count
