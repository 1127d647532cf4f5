"""Reads the percent format (jupytext's `py:percent`) with the standard library alone.

A learner's installation has no jupytext. What is read: `# %%` lines, what stands behind them, their tags, the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

OPENING = re.compile(r"^# %%(?P<heading>.*)$", re.MULTILINE)
KIND = re.compile(r"\s*\[\w+\]")  # [markdown] or [raw]
TAGS = re.compile(r"\btags=(\[[^\]]*\])")


@dataclass(frozen=True)
class Block:
    """What stands between two `# %%` lines: the first one's line number and heading, and the text below it."""

    line: int
    heading: str
    source: str


@dataclass(frozen=True)
class Cell:
    """One code cell: its number (from 1, markdown cells count), its tags, and its source."""

    number: int
    tags: frozenset[str]
    source: str


def blocks(text: str) -> Iterator[Block]:
    """Yield each block of a source, in order; what stands before the first `# %%` is left out."""
    marks = list(OPENING.finditer(text))
    for mark, end in zip(marks, [*(mark.start() for mark in marks[1:]), len(text)], strict=True):
        yield Block(text.count("\n", 0, mark.start()) + 1, mark["heading"].strip(), text[mark.end() : end].strip("\n"))


def code_cells(text: str) -> tuple[Cell, ...]:
    """Return the code cells of a source, in order; markdown and raw cells are left out."""
    return tuple(
        Cell(number, _tags(block.heading), block.source)
        for number, block in enumerate(blocks(text), 1)
        if not KIND.match(block.heading)
    )


def _tags(heading: str) -> frozenset[str]:
    """Return the tags of a heading."""
    tags = TAGS.search(heading)
    return frozenset(json.loads(tags[1])) if tags else frozenset()
