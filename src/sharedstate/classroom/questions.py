"""The questions that the lessons ask before a run, and what was measured: read from the built lessons' own pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

ASKED, SHOWN = re.compile(r"""\bpredict\(\s*["']([^"']+)"""), re.compile(r"""\breveal\(\s*["']([^"']+)""")
QUESTION = re.compile(r"^\*\*Predict:\*\* (.*)$", re.M)
CHOICE = re.compile(r"^\* \*\*(.+?)\*\*: (.*)$", re.M)
MEASURED = re.compile(r"^\*\*Measured:\*\* (.*)$", re.M)
RIGHT = re.compile(r"^\*\*Right: (.+?)\*\*$", re.M)


@dataclass(frozen=True)
class Question:
    """A question: its choices {key: text}, the right key, and what was measured ("" while nothing is known)."""

    id: str
    text: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    right: str = ""
    measured: str = ""


def questions(lessons: Path) -> dict[str, Question]:
    """Return {id: question} of every built lesson (*.ipynb) in a folder, in the order in which they are asked.

    A page that cannot be read has no questions.
    """
    found: dict[str, Question] = {}
    for page in sorted(lessons.glob("[0-9][0-9]_*.ipynb")):
        for source, texts in _cells(page):
            for name, text in zip(ASKED.findall(source), filter(QUESTION.search, texts), strict=False):
                asked = QUESTION.search(text)
                found[name] = Question(name, asked[1] if asked else "", dict(CHOICE.findall(text)))
            for name, text in zip(SHOWN.findall(source), filter(RIGHT.search, texts), strict=False):
                right, measured = RIGHT.search(text), MEASURED.search(text)
                before = found.get(name, Question(name))
                found[name] = replace(before, right=right[1] if right else "", measured=measured[1] if measured else "")
    return found


def _cells(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the source of each code cell with the Markdown that it showed."""
    try:
        cells = json.loads(page.read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError):
        return
    for cell in cells:
        shown = [output.get("data", {}).get("text/markdown", "") for output in cell.get("outputs", ())]
        yield "".join(cell["source"]), ["".join(text) for text in shown]
