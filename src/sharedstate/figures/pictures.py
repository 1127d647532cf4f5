"""Drawn pictures: the whiteboard without a door, and the map of the course."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure

PER_ROW = 5


def whiteboard(title: str | None = None) -> CourseFigure:
    """Draw the room of unit 01: one whiteboard, three people who write and look up, no door."""
    figure = style.new(title or "One board, no door: all read what was written last")
    ax = style.canvas(figure, 12, 7)
    _room(ax)
    _board(ax)
    people = (
        ("M", "Mallory wrote guess", 2.2, 1),
        ("A", "Alice writes s3cret", 6.0, 0),
        ("B", "Bob waits", 9.6, 2),
    )
    for letter, said, x, owner in people:
        _person(ax, x, letter, said, palette.OWNERS[owner])
    _arrow(ax, (6.3, 3.9), (7.0, 2.75), palette.OWNERS[0], "-")
    _arrow(ax, (2.8, 4.2), (5.2, 2.95), palette.LEAK, "--")
    ax.text(
        2.0, 3.2, "looks up", ha="center", va="center", fontsize=style.SMALL, color=palette.LEAK
    )
    return figure


def _room(ax: Axes) -> None:
    """Draw the walls, open at the right."""
    ax.plot([11.7, 11.7, 0.3, 0.3, 11.7, 11.7], [2.6, 0.1, 0.1, 6.8, 6.8, 5.9], color=palette.INK, lw=3)
    ax.text(
        11.55,
        4.25,
        "no door",
        ha="right",
        va="center",
        fontsize=style.LABEL,
        color=palette.FAINT,
        style="italic",
    )


def _board(ax: Axes) -> None:
    """Draw the board, on which the second word has replaced the first."""
    ax.add_patch(Rectangle((3.4, 0.6), 5.2, 2.3, fc="white", ec=palette.INK, lw=2.5))
    ax.text(
        3.6, 1.0, "input_buffer", va="center", fontsize=style.SMALL, color=palette.FAINT, family="monospace"
    )
    ax.text(4.75, 2.05, "guess", ha="center", va="center", fontsize=style.LABEL, color=palette.FAINT)
    ax.plot([4.05, 5.45], [2.05, 2.05], color=palette.INK, lw=1.5)
    ax.text(7.1, 2.05, "s3cret", ha="center", va="center", fontsize=17, color=palette.LEAK, fontweight="bold")


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float], color: str, dash: str) -> None:
    ax.annotate("", end, start, arrowprops={"arrowstyle": "->", "lw": 2, "ls": dash, "color": color})


def _person(ax: Axes, x: float, letter: str, said: str, color: str) -> None:
    ax.plot([x, x], [4.8, 5.5], color=color, lw=4)
    ax.plot([x - 0.45, x, x + 0.45], [5.15, 4.95, 5.15], color=color, lw=3)
    ax.plot([x - 0.35, x, x + 0.35], [6.0, 5.5, 6.0], color=color, lw=3)
    ax.add_patch(Circle((x, 4.4), 0.42, fc=color, ec=palette.INK, lw=1))
    ax.text(x, 4.4, letter, ha="center", va="center", fontsize=style.LABEL, fontweight="bold")
    ax.text(x, 6.4, said, ha="center", va="center", fontsize=style.LABEL)


def course_map(
    units: Sequence[object] | Mapping[str, object], here: str = "", title: str | None = None
) -> CourseFigure:
    """Draw the units as a path of boxes, the current one framed and marked.

    units: names such as "01_passcode_race", or dicts with name, and optionally title, minutes.
    here: the current unit's name or number.
    """
    stops = [_stop(unit) for unit in units]
    rows = -(-len(stops) // PER_ROW)
    figure = style.new(title or f"{len(stops)} units, one bug family", height=1.0 + 0.92 * rows)
    ax = style.canvas(figure, PER_ROW, rows)
    for k, stop in enumerate(stops):
        x, y = _place(k)
        if k:
            x0, y0 = _place(k - 1)
            ax.plot([x0 + 0.5, x + 0.5], [y0 + 0.5, y + 0.5], color=palette.ALLOWED, lw=5, zorder=0)
        _unit(ax, x, y, stop, bool(here) and stop["number"] == here[:2].zfill(2))
    return figure


def _place(k: int) -> tuple[int, int]:
    """Return column and row of a stop: the path turns at the end of each row."""
    row, column = divmod(k, PER_ROW)
    return (column if row % 2 == 0 else PER_ROW - 1 - column), row


def _stop(unit: object) -> dict[str, object]:
    data = dict(unit) if isinstance(unit, Mapping) else {"name": str(unit)}
    number, _, rest = str(data["name"]).partition("_")
    words = str(data.get("title") or rest.replace("_", " "))
    return {
        "number": number,
        "words": words,
        "minutes": data.get("minutes"),
    }


def _unit(ax: Axes, x: float, y: float, stop: Mapping[str, object], here: bool) -> None:
    look: dict[str, Any] = {"fc": "#DCEBF5", "ec": palette.ISOLATED, "lw": 3.0 if here else 1.2}
    ax.add_patch(
        FancyBboxPatch((x + 0.06, y + 0.08), 0.88, 0.84, boxstyle="round,pad=0,rounding_size=0.06", **look)
    )
    minutes = f"  {stop['minutes']} min" if stop["minutes"] else ""
    head = f"{stop['number']}{minutes}"
    if here:
        ax.text(x + 0.5, y + 0.84, "▲ here", ha="center", va="center", fontsize=style.SMALL)
    ax.text(x + 0.5, y + 0.25, head, ha="center", va="center", fontsize=style.SMALL, fontweight="bold")
    words = textwrap.fill(str(stop["words"]), 12, max_lines=2, placeholder="…")
    ax.text(x + 0.5, y + 0.62, words, ha="center", va="center", fontsize=style.SMALL)
