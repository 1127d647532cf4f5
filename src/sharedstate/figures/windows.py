"""Figures of an image cut into windows: what a pixel sees, where a shift puts it, and what looking costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.matrices import draw_cells, keys
from sharedstate.figures.style import CourseFigure

WORDS = MappingProxyType({
    "isolated": "not seen", "allowed": "seen", "leak": "leak", "lost": "lost",
})
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
Grid = Sequence[Sequence[str]]


def sight(views: Mapping[str, Grid], pixel: tuple[int, int], title: str, walls: int = 0,
          shift: int = 0) -> CourseFigure:
    """Draw, for each view, which pixels of the image one pixel sees.

    views: {label: rows of "isolated" | "allowed" | "leak" | "lost"}; pixel: (row, column), marked with a dot;
    walls: draw a wall after every so many pixels (0: none), moved by `shift`. Raises ValueError
    without a view.
    """
    if not views:
        raise ValueError("There is nothing to draw: give at least one view.")
    rows, columns = max((len(grid), len(grid[0])) for grid in views.values())
    figure = style.new(title, width=max(style.WIDTH, 2.15 * len(views)), height=1.25 + 1.85 * rows / columns)
    for number, (label, grid) in enumerate(views.items(), 1):
        ax = _board(figure, (1, len(views), number), len(grid), len(grid[0]), label)
        draw_cells(ax, grid, style.SMALL)
        ax.plot(pixel[1] + 0.5, pixel[0] + 0.5, "o", ms=7, mfc="white", mec=palette.INK)
        _walls(ax, len(grid), len(grid[0]), walls, shift)
    _legend(figure, views.values())
    return figure


def regions(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]], size: int,
            title: str) -> CourseFigure:
    """Draw where each region of an image lies before and after the cyclic shift, with the windows' walls.

    before, after: the number of each pixel's region, 0 to 3, as a letter and a colour; size: of a window.
    """
    figure = style.new(title, height=3.6)
    shift = sum(row[0] != before[-1][0] for row in before)
    views = (("the image, walls moved", before, shift), ("wheeled, in plain windows", after, 0))
    for number, (label, numbers, start) in enumerate(views, 1):
        ax = _board(figure, (1, 2, number), len(numbers), len(numbers[0]), label)
        for row, line in enumerate(numbers):
            for column, region in enumerate(line):
                _square(ax, row, column, {"fc": palette.OWNERS[region], "alpha": 0.75})
                ax.text(column + 0.5, row + 0.5, LETTERS[region], ha="center", va="center",
                        fontsize=style.SMALL, color=palette.INK)
        _walls(ax, len(numbers), len(numbers[0]), size, start)
    return figure


def attention_price(points: Mapping[str, Mapping[int, float]], title: str) -> CourseFigure:
    """Draw seconds against the number of pixels, one line for each kind of attention, both axes logarithmic.

    points: {label: {pixels: seconds}}.
    """
    figure = style.new(title)
    ax = style.axes(figure, "pixels of the image", "milliseconds")
    looks = ((palette.LEAK, "o-"), (palette.ISOLATED, "s--"), (palette.OWNERS[0], "^:"))
    ticks = sorted({pixels for line in points.values() for pixels in line})
    for (label, line), (color, mark) in zip(points.items(), looks, strict=False):
        milliseconds = [1e3 * seconds for seconds in line.values()]
        ax.plot(list(line), milliseconds, mark, color=color, lw=2, label=label)
    ax.set(xscale="log", yscale="log")
    ax.set_xticks(ticks, [f"{pixels:,}" for pixels in ticks])
    ax.minorticks_off()
    ax.legend(fontsize=style.LABEL, frameon=False)
    return figure


def _board(figure: CourseFigure, at: tuple[int, int, int], height: int, width: int, label: str) -> Axes:
    ax = figure.add_subplot(*at)
    ax.set(xlim=(-0.1, width + 0.1), ylim=(height + 0.1, -0.1), aspect="equal")
    ax.set_axis_off()
    ax.set_title(label, fontsize=style.SMALL, color=palette.INK)
    return ax


def _square(ax: Axes, row: int, column: int, look: Mapping[str, Any]) -> None:
    ax.add_patch(Rectangle((column, row), 1, 1, ec="white", lw=0.8, **look))


def _walls(ax: Axes, height: int, width: int, size: int, shift: int = 0) -> None:
    """Draw the image's border, and the windows' walls moved by `shift` pixels."""
    inner: dict[str, Any] = {"color": palette.INK, "lw": 2}
    for y in {0, height, *range(shift or size, height, size)} if size else ():
        ax.plot([0, width], [y, y], **inner)
    for x in {0, width, *range(shift or size, width, size)} if size else ():
        ax.plot([x, x], [0, height], **inner)


def _legend(figure: CourseFigure, grids: Iterable[Grid]) -> None:
    present = {state for grid in grids for row in grid for state in row}
    patches = keys(present, WORDS)
    figure.legend(handles=patches, loc="outside lower center", ncols=len(patches), frameon=False,
                  fontsize=style.SMALL)
