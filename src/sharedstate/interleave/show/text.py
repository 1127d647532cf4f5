"""A trace as plain text: one column per thread, at most 110 columns wide, fit to paste into an issue."""

from __future__ import annotations

import unicodedata

from sharedstate.interleave.schedule import Schedule, Step
from sharedstate.interleave.show import knot as render_knot
from sharedstate.interleave.show import words

WIDTH = 110
NARROWEST = 14
SOURCE = 26
GAP = 2


def text(trace: Schedule) -> str:
    """Draw the trace as text: headline, one row per step, answers, legend and token.

    No line is wider than 110 columns, save the token, which must stay whole.
    """
    parts = [words.headline(trace), "", *_table(trace), "", *_footer(trace)]
    return "\n".join(line.rstrip() for line in parts)


def _footer(trace: Schedule) -> list[str]:
    said = "   ".join(f"{name}: {value}" for name, value in words.answers(trace))
    lines = [f"answers   {said}"]
    if trace.observed is not None:
        lines.append(f"observed  {words.safe_repr(trace.observed, WIDTH - 10)}")
    lines += [f"stuck     {line}" for line in render_knot.lines(trace)]
    lines += [f"{mark:<10}{meaning}" for mark, meaning in words.legend(trace)]
    lines += [f"here      {trace.here}"] if trace.here else []
    lines += [f"note      {words.one_line(note)}" for note in trace.notes]
    lines = [cut(line, WIDTH) for line in lines]
    return [*lines, f"token     {trace.token}"] if trace.token else lines


def _table(trace: Schedule) -> list[str]:
    trace = words.shortened(trace)
    head, rows = _cells(trace, trace.threads)
    wanted, widths = _naturals(head, rows), _fit(head, rows)
    lanes = slice(1, 1 + len(trace.threads))
    if any(width < min(NARROWEST, want) for width, want in zip(widths[lanes], wanted[lanes], strict=True)):
        head, rows = _cells(trace, ())
        widths = _fit(head, rows)
    return [_line(cells, widths) for cells in (head, *rows)]


def _cells(trace: Schedule, columns: tuple[str, ...]) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows; without columns each access begins with its thread's name."""
    names = words.short_names(trace)
    rows = []
    for row, step in enumerate(trace.steps):
        said = words.access(step, names)
        spread = [said if step.thread == name else "" for name in columns] or [f"{step.thread} {said}"]
        gutter = _gutter(words.number(trace, row), step)
        rows.append([gutter, *spread, words.place(step), words.one_line(step.source)])
    return [" " * 9, *(columns or ("step",)), "line", "source"], rows


def _gutter(number: int, step: Step) -> str:
    switched = words.switch_mark(step) + ("x" if words.impossible(step) else "")
    return f"{switched:<3} {number:>3} {'!' if step.blame else ' '}"


def _naturals(head: list[str], rows: list[list[str]]) -> list[int]:
    """Return the widths at which nothing would be cut."""
    return [max(columns(row[k]) for row in (head, *rows)) for k in range(len(head))]


def _fit(head: list[str], rows: list[list[str]]) -> list[int]:
    """Return column widths that leave no line over WIDTH: the source gives way first, then the widest."""
    widths = _naturals(head, rows)
    room = WIDTH - GAP * (len(widths) - 1)
    over = max(sum(widths) - room, 0)
    widths[-1] -= min(over, max(widths[-1] - SOURCE, 0))
    while sum(widths) > room:
        widths[widths.index(max(widths))] -= 1
    return widths


def _line(cells: list[str], widths: list[int]) -> str:
    return (" " * GAP).join(pad(cell, width) for cell, width in zip(cells, widths, strict=True))


def columns(shown: str) -> int:
    """Return how many columns a terminal gives to a text: two for a wide (East Asian) character."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in shown)
    return len(shown) + wide - sum(bool(unicodedata.combining(c)) for c in shown)


def cut(shown: str, width: int) -> str:
    """Return a text of at most `width` columns, with two dots where it was cut."""
    if columns(shown) <= width:
        return shown
    while shown and columns(shown) > width - 2:
        shown = shown[:-1]
    return shown + ".."


def pad(shown: str, width: int) -> str:
    """Return a text that takes exactly `width` columns."""
    short = cut(shown, width)
    return short + " " * (width - columns(short))
