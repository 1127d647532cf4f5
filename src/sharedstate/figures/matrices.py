"""Influence matrices as a figure: rows are outputs, columns inputs; colour and letter tell the state.

One look for every matrix of the course: isolated is white, allowed light grey, a leak solid. A letter on a strong
colour stands in a white box, so that nothing runs behind it. `draw_cells` and `keys` serve other figures too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure
from sharedstate.influence.matrix import Influence
from sharedstate.influence.words import LETTERS, MEANINGS, SCHEDULE
from sharedstate.interleave.show.words import clip, one_line
from sharedstate.wording import count

MOST_PANELS, LETTERED, NAME, TALL, TITLE = 4, 10, 14, 1.7, 104
BOXED = frozenset({"leak", "lost"})
HATCHES: Mapping[str, str | None] = MappingProxyType({"lost": style.LOST_HATCH, "unknown": "\\\\\\"})
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


def draw_cells(ax: Axes, states: Sequence[Sequence[str]], size: float | None = None) -> None:
    """Draw a matrix of states ("isolated", "allowed", "leak", "lost", "unknown"), row 0 at the top of inverted axes.

    One collection a state. size: the letters' size in points; a matrix of more than 10 rows or columns gets only so
    many letters that they can be read, on its diagonal and a grid.
    """
    high, wide = len(states), max(map(len, states))
    large = max(high, wide) > LETTERED
    for state, color in palette.CELLS.items():
        squares = [_square(r, c) for r, row in enumerate(states) for c, one in enumerate(row) if one == state]
        if squares:
            line, hatch = 0.2 if large else 1.0, HATCHES.get(state)
            edge = palette.FAINT if hatch else palette.GRID
            ax.add_collection(PolyCollection(squares, fc=color, ec=edge, hatch=hatch, lw=line))
    step = _step(max(high, wide))
    for r in range(step // 2, high, step):
        for c in range(step // 2, min(wide, len(states[r])), step):
            _letter(ax, r, c, states[r][c], size or (style.SMALL if large else style.TITLE))


def keys(states: Collection[str], words: Mapping[str, str] | None = None) -> list[Patch]:
    """Return the legend's patches of these states, with letter and name, or with the names given instead."""
    named = words or {state: f"{letter}  {state}" for state, letter in LETTERS.items()}
    return [
        Patch(fc=palette.CELLS[state], ec=palette.FAINT, hatch=(HATCHES.get(state) or "") * 2, lw=0.8, label=words)
        for state, words in named.items()
        if state in states
    ]


def _cells(ax: Axes, matrix: Influence) -> None:
    """Draw the cells and their letters."""
    draw_cells(ax, matrix.states)
    large = max(len(matrix.rows), len(matrix.columns)) > LETTERED
    ax.spines[["left", "bottom", "right", "top"]].set_visible(large)


def _square(r: int, c: int) -> tuple[tuple[int, int], ...]:
    """The corners of a cell."""
    return ((c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1))


def _letter(ax: Axes, r: int, c: int, state: str, size: float) -> None:
    """Write a cell's letter; on a strong colour it stands in a white box."""
    box = {"boxstyle": "square,pad=0.18", "fc": "white", "ec": "none"} if state in BOXED else None
    ink = palette.FAINT if state == "isolated" else palette.INK
    look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": size, "fontweight": "bold", "bbox": box}
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
    alone = panels == 1
    patches = keys(used)
    labels = [f"{LETTERS[state]}  {state}" + (f":\n{_meaning(state)}" if alone else "") for state in used]
    place = {"loc": "outside right center"} if alone else {"loc": "outside lower center", "ncols": len(used)}
    figure.legend(
        patches, labels, frameon=False, fontsize=style.SMALL, handlelength=1.6, handleheight=1.4, **place
    )


def _meaning(state: str) -> str:
    """What a state means, in short lines."""
    return MEANINGS[state].replace(", and", ",\nand").replace("influence that", "influence\nthat")
