"""A schedule's text as the table that the lessons show: a column for each thread, in its colour."""

from __future__ import annotations

import html
import re

from .. import palette

HEADER = re.compile(r"^ {4,}\S.*\bline +source$")
ROW = re.compile(r"^(?P<mark>>{0,2}x?) *(?P<step>\d+) (?P<blame>!?)")
CELL = "text-align:left;vertical-align:top;padding:3px 6px;white-space:normal;overflow-wrap:anywhere"
LINE = "1px solid rgba(128,128,128,.45)"
HATCH = "repeating-linear-gradient(45deg,rgba(213,94,0,.30) 0 4px,transparent 4px 9px)"
PLAIN = "white-space:pre-wrap;font-size:85%;opacity:.85"


def table(text: str) -> str:
    """Return an HTML fragment; a text without a table in it stays as it is, escaped."""
    lines = text.split("\n")
    head = next((n for n, line in enumerate(lines) if HEADER.match(line)), None)
    if head is None:
        return f'<pre style="{PLAIN}">{html.escape(text)}</pre>'
    starts = [at.start() for at in re.finditer(r"\S+", lines[head])]
    names = lines[head].split()
    end = next((n for n in range(head + 1, len(lines)) if not lines[n].strip()), len(lines))
    heads = "".join(_head(name, n, len(names) - 2) for n, name in enumerate(names))
    rows = "".join(_row(line, starts, len(names) - 2) for line in lines[head + 1:end])
    above, below = ("\n".join(part).strip() for part in (lines[:head], lines[end:]))
    return (
        f'<div class="ss-schedule" style="max-width:760px;overflow-x:auto"><p style="{PLAIN}">{html.escape(above)}</p>'
        f'<table style="border-collapse:collapse;color:inherit"><thead><tr><th scope="col" style="{CELL}">step</th>'
        f'{heads}</tr></thead><tbody>{rows}</tbody></table><p style="{PLAIN}">{html.escape(below)}</p></div>')


def _head(name: str, place: int, threads: int) -> str:
    border = f"3px solid {palette.owner(place)}" if place < threads else LINE
    return f'<th scope="col" style="{CELL};border-bottom:{border}">{html.escape(name)}</th>'


def _row(line: str, starts: list[int], threads: int) -> str:
    found = ROW.match(line)
    ends = [*starts[1:], max(len(line), starts[-1])]
    parts = [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    top = "2px dashed #888" if found and found["mark"] else LINE
    blame = bool(found and found["blame"])
    cells = "".join(
        f'<td style="{CELL};border-top:{top}{_colour(n, threads, bool(part), blame)}">{html.escape(part)}</td>'
        for n, part in enumerate(parts))
    step = f"{found['mark']} {found['step']}{' !' * blame}".strip() if found else ""
    return f'<tr><td style="{CELL};border-top:{top};white-space:nowrap">{html.escape(step)}</td>{cells}</tr>'


def _colour(place: int, threads: int, used: bool, blame: bool) -> str:
    """Return the style of a thread's cell in which it moves."""
    if place >= threads or not used:
        return ""
    return f";border-left:4px solid {palette.owner(place)}" + (f";background:{HATCH}" if blame else "")
