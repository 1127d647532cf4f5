"""What a lab asks in one of its exercises: the text, the code that is given, the hints."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from pathlib import Path

from sharedstate.percent import Block, blocks

MARKDOWN = "[markdown]"
MINUTES = re.compile(r"^\*\d+ minutes · .*\*$")
HINT = re.compile(r"<details><summary>.*?</summary>(.*?)</details>", re.DOTALL)
TAG = re.compile(r"</?code>")


@dataclass(frozen=True)
class Asked:
    """An exercise as the lab puts it; hints as plain text with backticks for code."""

    text: str
    code: str
    hints: tuple[str, ...]


def asked(lab: Path, exercise_id: str) -> Asked:
    """Return what a lab.py asks in an exercise; ValueError when it has no such heading."""
    found = list(blocks(lab.read_text(encoding="utf-8")))
    heading = f"# ## {exercise_id} "
    start = next((n for n, one in enumerate(found) if one.source.startswith(heading)), None)
    if start is None:
        raise ValueError(f"{lab.parent.name}/lab.py has no heading {heading[2:].strip()!r}.")
    rest = found[start + 1:]
    end = next(n for n, one in enumerate(rest) if f'"exercise:{exercise_id}"' in one.heading)
    given = [one.source for one in rest[:end] if not one.heading.startswith(MARKDOWN)]
    hints = next(one for one in rest if f'"hints:{exercise_id}"' in one.heading)
    return Asked(_text(found[start]), "\n\n".join(given), tuple(map(_plain, HINT.findall(hints.source))))


def _text(block: Block) -> str:
    """Return the Markdown of a cell without its heading and the line of minutes."""
    lines = [line[2:] for line in block.source.split("\n")][1:]
    return "\n".join(line for line in lines if not MINUTES.match(line)).strip()


def _plain(hint: str) -> str:
    return html.unescape(TAG.sub("`", hint))
