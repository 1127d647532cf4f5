"""The foot of every notebook: the way back, the way on, and the way between a lesson and its lab."""

from __future__ import annotations

import os
import re
from pathlib import Path

from sharedstate.authoring.documents import Document
from sharedstate.paths import notebook_name

HEADING = re.compile(r"^# # (.+)$", re.MULTILINE)
TAG = "navigation"


def foot(document: Document) -> str:
    """Return the line of links that ends a notebook, as Markdown; "" for a unit that stands alone without a lab.

    A lab is linked where the course keeps it: its first cell makes the learner's copy and links to that.
    """
    lessons = _lessons(document)
    here = list(lessons).index(document.unit) if document.unit in lessons else len(lessons)
    before, after = list(lessons)[:here][-1:], list(lessons)[here + 1:][:1]
    links = [f"← {_link(document, 'lesson', unit, lessons[unit])}" for unit in before if document.kind == "lesson"]
    if document.kind != "lesson" and document.unit in lessons:
        links.append(f"← {_link(document, 'lesson', document.unit, lessons[document.unit])}")
    elif document.kind == "lesson" and document.source.with_name("lab.py").is_file():
        links.append(_link(document, "lab", document.unit, f"Lab {document.unit[:2]}"))
    links += [f"{_link(document, 'lesson', unit, lessons[unit])} →" for unit in after]
    return " | ".join(links)


def _lessons(document: Document) -> dict[str, str]:
    """Return {unit: its lesson's heading} for every lesson in the document's language, in order."""
    course = document.source.parents[2 if document.language else 1]
    sources = {folder.name: folder / document.language / "lesson.py" for folder in sorted(course.iterdir())}
    return {unit: _heading(path, unit) for unit, path in sources.items() if path.is_file()}


def _heading(lesson: Path, unit: str) -> str:
    """Return a lesson's first heading, or its unit's name in words."""
    found = HEADING.search(lesson.read_text(encoding="utf-8"))
    return found[1].strip() if found else unit.replace("_", " ")


def _link(document: Document, kind: str, unit: str, words: str) -> str:
    """Return a link from the document's folder to another notebook of its language."""
    depth = 2 if document.language else 1
    folder = {"lesson": "notebooks", "lab": "labs"}[kind]
    target = document.target.parents[depth] / folder / document.language / notebook_name(unit, kind)
    way = os.path.relpath(target, document.target.parent).replace(os.sep, "/")
    return f"[{words}]({way})"


