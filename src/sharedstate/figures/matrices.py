"""Influence matrices as a figure: rows are outputs, columns inputs; a letter and a hatch tell the state."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure
from sharedstate.influence.matrix import Influence
from sharedstate.influence.states import LETTERS, MEANINGS, SCHEDULE
from sharedstate.interleave.show.words import clip, one_line
from sharedstate.wording import count

MOST_PANELS, LETTERED, NAME, TALL, TITLE = 4, 10, 14, 1.7, 104
FILL = MappingProxyType(
    {
        "allowed": (palette.ALLOWED, None, palette.INK),
        "isolated": (palette.ISOLATED, None, "white"),
        "leak": (palette.LEAK, style.LEAK_HATCH, palette.INK),
        "lost": (palette.LOST, style.LOST_HATCH, palette.INK),
        "unknown": ("white", None, palette.INK),
    }
)
Panels = Mapping[str, Influence]


def influence(matrix: Influence | Panels, title: str | None = None) -> CourseFigure:
    """Draw one influence matrix, or up to four side by side from a mapping of names to matrices.

    The title says what leaks and what is lost. Past 10 rows or columns only every so many cells get a letter
    and a name. Raises ValueError for no matrix, more than four, and a matrix without cells.
    """
    panels = {"": matrix} if isinstance(matrix, Influence) else dict(matrix)
    if not 1 <= len(panels) <= MOST_PANELS or not all(one.rows and one.columns for one in panels.values()):
        raise ValueError(f"influence draws 1 to {MOST_PANELS} matrices, each with a row and a column")
    figure = style.new(title or _message(panels), width=style.WIDTH + 1.6 * max(len(panels) - 3, 0))
    before: tuple[str, ...] = ()
    for k, (name, one) in enumerate(panels.items(), 1):
        ax = style.axes(figure, at=(1, len(panels), k))
        _panel(ax, one, len(panels))
        ax.set_title(clip(one_line(name), 18), fontsize=style.LABEL, color=palette.INK)
        if one.rows == before:
            ax.set_yticks([])
        if k == 1:
            ax.set_ylabel("answer of" if one.kind == "threads" else "output", fontsize=style.LABEL)
        before = one.rows
    _legend(
        figure, [state for state in LETTERS if any(one.cells(state) for one in panels.values())], len(panels)
    )
    return figure


def _panel(ax: Axes, matrix: Influence, panels: int) -> None:
    """Draw one matrix, square where it stands alone, with higher cells where few rows stand beside others."""
    _cells(ax, matrix)
    _names(ax, matrix, (3.0 if panels == 1 else 1.4) / len(matrix.columns))
    tall = TALL if panels > 1 and len(matrix.rows) <= 3 else 1.0
    ax.set(xlim=(0, len(matrix.columns)), ylim=(len(matrix.rows), 0), aspect=tall)
    ax.set_xlabel("input of" if matrix.kind == "threads" else "input", fontsize=style.LABEL)
    if SCHEDULE in matrix.columns and matrix.kind == "threads":
        ax.axvline(matrix.columns.index(SCHEDULE), color=palette.INK, lw=1.2, ls=":")


def _message(panels: Panels) -> str:
    """What one matrix says, where it fits in two lines; else, and for each of several, a word."""
    if len(panels) > 1:
        return "; ".join(f"{one_line(name)}: {verdict(one)}" for name, one in panels.items())
    (one,) = panels.values()
    return one.message if len(one.message) <= TITLE else verdict(one)


def verdict(matrix: Influence) -> str:
    """Return "clean", or as many of "4 leaks", "2 lost" and "1 not decided" as there are."""
    parts = [count(len(matrix.leaks), "leak")] if matrix.leaks else []
    parts += [f"{len(matrix.lost)} lost"] if matrix.lost else []
    parts += [f"{len(matrix.unknown)} not decided"] if matrix.unknown else []
    return ", ".join(parts) or "clean"


def _cells(ax: Axes, matrix: Influence) -> None:
    """Draw the cells, one collection a state, and their letters."""
    high, wide = len(matrix.rows), len(matrix.columns)
    large = max(high, wide) > LETTERED
    line = 0.0 if large else 2.0
    for state, (color, hatch, _) in FILL.items():
        squares = [_square(r, c) for r in range(high) for c in range(wide) if matrix.states[r][c] == state]
        if squares:
            edge = "white" if state != "unknown" else palette.FAINT
            ax.add_collection(PolyCollection(squares, fc=color, ec=edge, hatch=hatch, lw=line))
    step = _step(max(high, wide))
    for r in range(step // 2, high, step):
        for c in range(step // 2, wide, step):
            _letter(ax, r, c, matrix.states[r][c], large)
    ax.spines[["left", "bottom"]].set_visible(large)


def _square(r: int, c: int) -> tuple[tuple[int, int], ...]:
    """The corners of a cell."""
    return ((c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1))


def _letter(ax: Axes, r: int, c: int, state: str, large: bool) -> None:
    """Write a cell's letter, in a small matrix on a plate of its colour, so that no hatch runs through it."""
    color, hatch, ink = FILL[state]
    round_plate = {"boxstyle": "circle,pad=0.1", "fc": color, "ec": "none"}
    plate = round_plate if hatch and not large else None
    size = style.SMALL if large else style.TITLE
    look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": size, "fontweight": "bold", "bbox": plate}
    ax.text(c + 0.5, r + 0.5, LETTERS[state], color=ink, **look)


def _step(cells: int) -> int:
    """How many cells there are from one letter or name to the next."""
    return 1 if cells <= LETTERED else -(-cells // 8)


def _names(ax: Axes, matrix: Influence, room: float) -> None:
    """Name rows and columns, thinned out; `room` is the width of a column in inches."""
    step = _step(max(len(matrix.rows), len(matrix.columns)))
    columns, rows = matrix.columns[step // 2 :: step], matrix.rows[step // 2 :: step]
    for put, names in ((ax.set_xticks, columns), (ax.set_yticks, rows)):
        places = [step // 2 + k * step + 0.5 for k in range(len(names))]
        put(places, [clip(one_line(name), NAME) for name in names])
    ax.tick_params(length=0)
    longest = max(len(clip(name, NAME)) for name in columns)
    if longest > 3 and longest * 0.09 > room * step:
        ax.tick_params(axis="x", labelrotation=90)


def _legend(figure: CourseFigure, used: list[str], panels: int) -> None:
    """Say what the letters mean: beside a single matrix in full, below several in a word."""
    patches, labels, alone = [], [], panels == 1
    for state in used:
        color, hatch, _ = FILL[state]
        edge = "white" if state != "unknown" else palette.FAINT
        patches.append(Patch(fc=color, ec=edge, hatch=hatch * 2 if hatch else None, lw=0.8))
        meaning = MEANINGS[state].replace(", and", ",\nand").replace("influence that", "influence\nthat")
        labels.append(f"{LETTERS[state]}  {state}" + (f":\n{meaning}" if alone else ""))
    place = {"loc": "outside right center"} if alone else {"loc": "outside lower center", "ncols": len(used)}
    figure.legend(
        patches, labels, frameon=False, fontsize=style.SMALL, handlelength=1.6, handleheight=1.4, **place
    )
