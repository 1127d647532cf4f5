"""Figures of unit 11: what the incidents shared, whose reply arrived, and what a second call finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.patches import FancyBboxPatch

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure, get

CHIP, GAP, LEFT, ROW = 1.5, 0.15, 2.2, 0.8


def incident_map(kinds: Mapping[str, Sequence[object]], title: str | None = None) -> CourseFigure:
    """Draw incidents by what was shared: {kind: incidents, each with its `name`}, a line for each kind."""
    number = sum(len(row) for row in kinds.values())
    message = f"{len(kinds)} kinds of shared state explain {number} incidents"
    figure = style.new(title or message, height=1.0 + 0.34 * len(kinds))
    wide = max(len(row) for row in kinds.values())
    ax = style.canvas(figure, LEFT + wide * (CHIP + GAP), ROW * len(kinds))
    for k, (kind, row) in enumerate(kinds.items()):
        middle = ROW * (k + 0.5)
        ax.text(LEFT - 0.2, middle, kind, ha="right", va="center", fontsize=style.SMALL, color=palette.INK)
        for at, incident in enumerate(row):
            _chip(ax, LEFT + at * (CHIP + GAP), middle, str(get(incident, "name")))
    return figure


def _chip(ax: Any, x: float, y: float, text: str) -> None:
    look, fill = "round,pad=0,rounding_size=0.1", palette.CELLS["allowed"]
    ax.add_patch(FancyBboxPatch((x, y - 0.31), CHIP, 0.62, boxstyle=look, fc=fill, ec=palette.INK, lw=0.8))
    ax.text(x + CHIP / 2, y, text, ha="center", va="center", fontsize=style.SMALL, color=palette.INK)


def replies(rows: Sequence[tuple[str, str | None]], title: str) -> CourseFigure:
    """Draw who asked, in order from above, and whose reply each one read (None: was gone before it came).

    A reply that belongs to its reader is a level grey arrow, one that belongs to somebody else a leak.
    """
    figure = style.new(title, height=1.1 + 0.55 * len(rows))
    ax = style.canvas(figure, 10, len(rows) + 0.9)
    at = {who: k + 1.2 for k, (who, _) in enumerate(rows)}
    for x, head in ((2.0, "asks, and reads"), (8.0, "the reply in the connection")):
        ax.text(x, 0.3, head, ha="center", va="center", fontsize=style.SMALL, fontweight="bold", color=palette.INK)
    for k, (who, got) in enumerate(rows):
        own = got == who
        for x, said in ((2.0, who), (8.0, f"for {who}")):
            _box(ax, x, at[who], said, palette.owner(k))
        if got is None:
            ax.text(3.6, at[who], "cancelled", va="center", fontsize=style.SMALL, color=palette.INK)
        else:
            look: dict[str, Any] = {"arrowstyle": "->", "lw": 2, "color": palette.FAINT if own else palette.LEAK}
            ax.annotate("", (3.4, at[who]), (6.6, at[got]), arrowprops=look)
            if not own:
                ax.text(3.5, at[who] - 0.28, palette.WRONG, fontsize=style.LABEL, color=palette.LEAK)
    return figure


def _box(ax: Any, x: float, y: float, text: str, color: str) -> None:
    look = "round,pad=0,rounding_size=0.12"
    ax.add_patch(FancyBboxPatch((x - 1.3, y - 0.33), 2.6, 0.66, boxstyle=look, fc=color, ec=palette.INK, lw=0.8))
    ax.text(x, y, text, ha="center", va="center", fontsize=style.SMALL, color=palette.INK)


def second_calls(table: Mapping[str, Mapping[str, object]], title: str) -> CourseFigure:
    """Draw {what is kept: {program: a SecondCall}}: one cell each, leak or isolated, as a colour and as a word."""
    programs = list(next(iter(table.values())))
    figure = style.new(title, height=1.2 + 0.36 * len(table))
    ax = style.canvas(figure, 10, len(table) + 0.8)
    width = 6.2 / len(programs)
    for column, program in enumerate(programs):
        middle = 3.7 + width * (column + 0.5)
        ax.text(middle, 0.35, program, ha="center", va="center", fontsize=style.SMALL, fontweight="bold")
    for k, (kept, found) in enumerate(table.items()):
        ax.text(3.5, k + 1.25, kept, ha="right", va="center", fontsize=style.SMALL, color=palette.INK)
        for column, program in enumerate(programs):
            leaks = bool(get(found[program], "leaks"))
            look: dict[str, Any] = {"boxstyle": "square,pad=0", "ec": palette.GRID, "lw": 0.8}
            corner = (3.7 + width * column + 0.05, k + 0.83)
            color = palette.LEAK if leaks else "white"
            ax.add_patch(FancyBboxPatch(corner, width - 0.1, 0.84, fc=color, **look))
            word = f"{palette.WRONG} the first call shows" if leaks else f"{palette.RIGHT} as if alone"
            ax.text(corner[0] + width / 2 - 0.05, k + 1.25, word, ha="center", va="center", fontsize=style.SMALL,
                    color=palette.INK)
    return figure
