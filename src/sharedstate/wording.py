"""Numbers with their words, written once for every part of the course."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

WIDTH = 96  # columns that a notebook shows without breaking a line inside a word


def plural(number: int, noun: str) -> str:
    """Return the noun as it stands behind this number: "switch" for 1, "switches" for 2."""
    ending = "es" if noun.endswith(("ch", "sh", "s", "x")) else "s"
    return noun if number == 1 else noun + ending


def count(number: int, noun: str) -> str:
    """Return the number with its noun, as in "1 switch", "2 switches", "1,200 steps"."""
    return f"{number:,} {plural(number, noun)}"


def listed(words: list[str] | tuple[str, ...]) -> str:
    """Return the words as a sentence holds them: "a", "a and b", "a, b and c"."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def pairs(values: Mapping[object, object]) -> str:
    """Return a dictionary as people write it: "16: 58%, 64: 39%"."""
    return ", ".join(f"{key}: {value}" for key, value in values.items())


def folded(line: str) -> str:
    """Return a long line in several, broken between words."""
    return textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)
