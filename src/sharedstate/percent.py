"""Reads the percent format (jupytext's `py:percent`) with the standard library alone.

A learner's installation has no jupytext. What is read: `# %%` and `# %% [markdown]` lines, their tags, the text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

OPENING = re.compile(r"^# %%(?P<kind>\s*\[\w+\])?(?P<rest>.*)$")
TAGS = re.compile(r"\btags=(\[[^\]]*\])")


@dataclass(frozen=True)
class Cell:
    """One code cell: its number (from 1, markdown cells count), its tags, and its source."""

    number: int
    tags: frozenset[str]
    source: str


def code_cells(text: str) -> tuple[Cell, ...]:
    """Return the code cells of a source, in order; markdown and raw cells are left out."""
    lines = text.splitlines()
    starts = [n for n, line in enumerate(lines) if OPENING.match(line)]
    found = []
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(lines)], strict=True), 1):
        opening = OPENING.match(lines[start])
        if opening is None or opening["kind"]:
            continue
        tags = TAGS.search(opening["rest"])
        named = frozenset(json.loads(tags[1])) if tags else frozenset()
        found.append(Cell(number, named, "\n".join(lines[start + 1 : end]).strip("\n")))
    return tuple(found)
