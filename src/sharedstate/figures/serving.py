"""Figures of unit 09: who sits in which place of a batch at each step, and what a batch size gives and costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.patches import Rectangle

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure

MARKS = ("o", "s", "^", "D")


def lanes(places: Sequence[Sequence[str | None]], title: str) -> CourseFigure:
    """Draw places[row][step], the name of the request that is served there, None for nobody: hatched.

    A name stands where its request begins. Raises ValueError for nothing.
    """
    if not places or not places[0]:
        raise ValueError("Nothing to draw: give at least one place and one step.")
    names = list(dict.fromkeys(name for line in places for name in line if name is not None))
    figure = style.new(title, height=1.3 + 0.32 * len(places))
    ax = style.axes(figure, "step", "place")
    for row, line in enumerate(places):
        for first, last, name in _runs(line):
            look = {"facecolor": "white", "hatch": "////"} if name is None else {"facecolor": _colour(names, name)}
            ax.add_patch(Rectangle((first, row), last - first, 0.9, edgecolor=palette.GRID, linewidth=0.5, **look))
            if name is not None:
                ax.text(first + 0.2, row + 0.45, name, va="center", fontsize=style.SMALL, clip_on=True)
    ax.set_xlim(0, len(places[0]))
    ax.set_ylim(len(places), 0)
    ax.set_yticks([row + 0.45 for row in range(len(places))], [str(row + 1) for row in range(len(places))])
    return figure


def growth(
    curves: Mapping[str, Mapping[float, float]], title: str, xlabel: str, ylabel: str, doubling: bool = False
) -> CourseFigure:
    """Draw curves[name][x]; `doubling` for sizes that double. Raises ValueError for nothing."""
    if not curves or not all(curves.values()):
        raise ValueError("Nothing to draw: give at least one curve with a point.")
    figure = style.new(title, height=3.4)
    ax = style.axes(figure, xlabel, ylabel)
    colours = (palette.ISOLATED, *palette.OWNERS)
    for k, (name, points) in enumerate(curves.items()):
        ax.plot(list(points), list(points.values()), marker=MARKS[k % 4], color=colours[k % 5], label=name)
    places = sorted({x for points in curves.values() for x in points})
    if doubling:
        ax.set_xscale("log", base=2)
    ax.set_xticks(places, [f"{x:g}" for x in places])
    ax.set_xticks([], minor=True)
    ax.set_ylim(bottom=0)
    if len(curves) > 1:
        ax.legend(fontsize=style.SMALL, frameon=False)
    return figure


def _runs(line: Sequence[str | None]) -> list[tuple[int, int, str | None]]:
    """Return (first step, last step + 1, name) for each stretch of one name."""
    starts = [step for step in range(len(line)) if step == 0 or line[step] != line[step - 1]]
    return [(a, b, line[a]) for a, b in zip(starts, [*starts[1:], len(line)], strict=True)]


def _colour(names: Sequence[str], name: str) -> str:
    return palette.owner(names.index(name))
