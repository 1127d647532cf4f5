"""An executed lesson as a page: schedules that can be stepped, links that lead somewhere, boxes at its programs."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable
from html import escape
from pathlib import Path
from typing import Any

from sharedstate.game import level
from sharedstate.site.boxes import FIRST_LEVELS, box_html, boxes_of, game_html, lesson_text, program

SVG, HTML, MARKDOWN = "image/svg+xml", "text/html", "text/markdown"
GAMES = re.compile(r'^game_panel\((?P<names>[^)]*)\)\s*$', re.MULTILINE)
# A link out of a notebook: in Markdown, or as an attribute. What it leads to may not be on the site.
LINK = re.compile(r'(?P<head>\]\(|href=")(?P<folder>(?:\.\./)?(?:notebooks|labs|my-labs|solutions)/|)'
                  r'(?P<name>\w+)\.ipynb(?P<tail>\)|")')  # fmt: skip
NOTE = (
    '<p class="ss-note">This is a notebook with its outputs, to be read. The boxes on this page run in your browser; '
    'for everything else, <a href="../run.html">run the notebook</a>.</p>'
)
RUN, FIGURE = "run", "Figure: "


def page(home: Path, unit: str, known: Collection[str]) -> str:
    """Return the notebook of a unit's page. known: the units on the site; links to others lead to `run`.

    Raises FileNotFoundError for a lesson that is not built, ValueError for a box that its lesson no longer holds.
    """
    book = json.loads((home / "notebooks" / f"{unit}.ipynb").read_text(encoding="utf-8"))
    made = [(program(box, lesson_text(home, unit)), box) for box in boxes_of(unit)]
    boxes = {each.cell: box_html(box, each, "../") for each, box in made}
    cells: list[Any] = []
    for number, cell in enumerate(book["cells"], 1):
        cells.append(adapted(cell, known))
        if number == 1:
            cells.append(raw(NOTE))
        if number in boxes:
            cells.append(raw(boxes[number]))
        if cell["cell_type"] == "code" and (played := games("".join(cell["source"]))):
            cells.append(raw(played))
    book["cells"] = cells
    return json.dumps(book, ensure_ascii=False)


def adapted(cell: Any, known: Collection[str]) -> Any:
    """Return a cell as the site shows it."""
    if cell["cell_type"] == "markdown":
        return {**cell, "source": linked("".join(cell["source"]), known)}
    if cell["cell_type"] != "code":
        return cell
    metadata = dict(cell["metadata"])
    if metadata.get("jupyter", {}).get("outputs_hidden"):  # folded between a question and its answer: here too
        metadata["tags"] = [*metadata.get("tags", ()), "hide-output"]
    return {**cell, "metadata": metadata, "outputs": [output(one, known) for one in cell["outputs"]]}


def output(one: Any, known: Collection[str]) -> Any:
    """Return an output: a schedule as SVG in the page itself, so that a script can walk through its steps."""
    if "data" not in one:
        return one
    data = {mime: "".join(value) if isinstance(value, list) else value for mime, value in one["data"].items()}
    drawn = data.pop(SVG, "")
    if "ss-trace-svg" in drawn:
        title = escape(data.get("text/plain", "").removeprefix(FIGURE))
        data[HTML] = f'<p class="ss-title"><b>{title}</b></p>{drawn}'
    for mime in (HTML, MARKDOWN):
        if mime in data:
            data[mime] = linked(data[mime], known, made=True)
    return {**one, "data": data}


def linked(text: str, known: Collection[str], made: bool = False) -> str:
    """Return the text with its links to notebooks leading to pages: a lesson's own, else how to run notebooks.

    In a Markdown cell Sphinx finds the page of a source file; in HTML, and in what code has `made`, the page is named.
    """

    def lead(link: re.Match[str]) -> str:
        here = link["folder"] in ("", "../notebooks/", "notebooks/") and link["name"] in known
        inside = link["head"] == "](" and not made
        ending = ("ipynb" if here else "md") if inside else "html"
        target = f"{link['name']}.{ending}" if here else f"../{RUN}.{ending}"
        return f"{link['head']}{target}{link['tail']}"

    return LINK.sub(lead, text)


def games(source: str) -> str:
    """Return the game as HTML for a cell that shows its panel; "" for any other. Without names: the first levels."""
    called = GAMES.search(source)
    if not called:
        return ""
    names = re.findall(r'"([^"]+)"', called["names"]) or FIRST_LEVELS
    return levels_html(names, "../")


def levels_html(names: Iterable[str], home: str) -> str:
    """Return the game with these levels as HTML."""
    return game_html([(name, level(name).title) for name in names], home)


def raw(html: str) -> dict[str, Any]:
    """Return a cell that puts HTML into the page as it is."""
    fence = "`" * 6
    name = hashlib.sha256(html.encode()).hexdigest()[:12]
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": f"{fence}{{raw}} html\n{html}\n{fence}"}
