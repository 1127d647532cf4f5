"""What a lesson looks like in numbers, and where it leaves the course's targets."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from sharedstate.authoring.foot import TAG

CHANGE = re.compile(r"change one line", re.I)
PREDICT = re.compile(r"^\s*predict\(", re.M)
ENDLESS = (0, math.inf)
COLUMNS = 105                   # wider, and JupyterLab scrolls a cell sideways


@dataclass(frozen=True)
class Targets:
    """Bounds, both included, of cells, words of text, words a line of code, and figures.

    `lines`: most lines of a code cell in the median, at 90 percent, in the longest; `columns`: of the widest one.
    `predictions` and `changes`: the least number of questions, and of tasks "change one line".
    """

    cells: tuple[float, float] = (30, 60)
    words: tuple[float, float] = (1200, 2200)
    words_a_line: tuple[float, float] = (6, 12)
    figures: tuple[float, float] = (4, 12)
    lines: tuple[float, float, float] = (6, 16, 25)
    predictions: int = 3
    changes: int = 3
    columns: float = COLUMNS


LESSON = Targets()
SHORT = Targets((10, 34), (250, 1400), ENDLESS, (1, 4), (6, 15, 25), 1, 1)
COLLECTION = Targets(ENDLESS, ENDLESS, ENDLESS, ENDLESS, (math.inf, math.inf, math.inf), 0, 0, math.inf)


def targets(unit: str) -> Targets:
    """Return a unit's targets: 00 takes 15 minutes, 11 and 12 are collections, all others are lessons."""
    return {"00": SHORT, "11": COLLECTION, "12": COLLECTION}.get(unit[:2], LESSON)


def lab_size(unit: str) -> range:
    """Return how many exercises a unit's lab may have: 3 to 7. Lab 12 is no lesson's lab but a collection: the eight
    drills of its deck that ask for code, each worked alone and timed alone.
    """
    return range(3, 9) if unit[:2] == "12" else range(3, 8)


@dataclass(frozen=True)
class Shape:
    """The numbers of one executed notebook; `lines` are the non-blank lines of each code cell."""

    cells: int
    words: int
    lines: tuple[int, ...]
    figures: int
    predictions: int
    changes: int
    columns: int = 0


def shape(book: Any) -> Shape:
    """Measure an executed notebook."""
    cells = [cell for cell in book.cells if TAG not in cell.metadata.get("tags", ())]
    code = [cell for cell in cells if cell.cell_type == "code"]
    prose = [cell.source for cell in cells if cell.cell_type == "markdown"]
    return Shape(
        cells=len(cells),
        words=sum(len(text.split()) for text in prose),
        lines=tuple(sum(bool(line.strip()) for line in cell.source.split("\n")) for cell in code),
        figures=sum(is_image(output) for cell in code for output in cell.outputs),
        predictions=sum(len(PREDICT.findall(cell.source)) for cell in code),
        changes=sum(bool(CHANGE.search(text)) for text in prose),
        columns=widest(book),
    )


def findings(found: Shape, wanted: Targets) -> list[str]:
    """Return one line for each target that is missed."""
    ratio = found.words / max(1, sum(found.lines))
    ranges = (("cells", found.cells, wanted.cells), ("words", found.words, wanted.words),
              ("words a line of code", round(ratio, 1), wanted.words_a_line),
              ("figures", found.figures, wanted.figures))
    outside = [f"{n} {name}, wanted {low} to {high}"
               for name, n, (low, high) in ranges if not low <= n <= high]
    ordered = sorted(found.lines) or [0]
    longest = (median(ordered), ordered[min(len(ordered) - 1, int(0.9 * len(ordered)))], ordered[-1])
    names = ("in the median", "at 90 percent", "in the longest")
    outside += [f"{n:g} lines {name} of the code cells, wanted {most} at most"
                for n, name, most in zip(longest, names, wanted.lines, strict=True) if n > most]
    least = (("predictions", found.predictions, wanted.predictions),
             ("tasks 'change one line'", found.changes, wanted.changes))
    if found.columns > wanted.columns:
        outside.append(f"{found.columns} columns in the widest code cell, wanted {wanted.columns} at most")
    return outside + [f"{n} {name}, wanted {low} or more" for name, n, low in least if n < low]


def widest(book: Any) -> int:
    """Return the columns of the longest line in a notebook's code cells."""
    lines = [line for cell in book.cells if cell.cell_type == "code" for line in cell.source.split("\n")]
    return max(map(len, lines), default=0)


def untagged(book: Any) -> list[int]:
    """Return the numbers (from 1) of the cells that are tagged neither, or both, of core and deeper."""
    tags = [set(cell.metadata.get("tags", ())) for cell in book.cells]
    return [number for number, named in enumerate(tags, 1) if len(named & {"core", "deeper"}) != 1]


def bare_images(book: Any) -> list[int]:
    """Return the numbers (from 1) of the cells with a picture and no line of text below it."""
    following = [*book.cells[1:], None]
    return [n for n, (cell, after) in enumerate(zip(book.cells, following, strict=True), 1)
            if cell.cell_type == "code" and any(_bare(cell.outputs, after))]


def is_image(output: Any) -> bool:
    """True for an output that is a picture, bare or as HTML."""
    data = output.get("data", {})
    return any(mime.startswith("image/") for mime in data) or "<img " in "".join(data.get("text/html", ""))


def _bare(outputs: list[Any], after: Any) -> Iterator[bool]:
    """Yield for each picture whether no text stands between it and the next one, or below the cell."""
    for place, output in enumerate(outputs):
        if is_image(output):
            below = outputs[place + 1] if place + 1 < len(outputs) else None
            text_below = bool(after is not None and after.cell_type == "markdown" and after.source.strip())
            yield not (text_below if below is None else not is_image(below))
