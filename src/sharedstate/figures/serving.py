"""Figures of unit 09: who sits where in a batch, what a batch size gives and costs, whose tokens and bits change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.patches import Patch, Rectangle

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure

MARKS = ("o", "s", "^", "D")


def lanes(places: Sequence[Sequence[str | None]], title: str) -> CourseFigure:
    """Draw places[seat][step], the name of the request that is served there, None for nobody: hatched.

    A name stands where its request begins. Raises ValueError for nothing.
    """
    if not places or not places[0]:
        raise ValueError("Nothing to draw: give at least one place and one step.")
    names = sorted({name for line in places for name in line if name is not None})
    figure = style.new(title, height=1.3 + 0.32 * len(places))
    ax = style.axes(figure, "step", "seat")
    for row, line in enumerate(places):
        for first, last, name in _runs(line):
            look: dict[str, Any] = {"facecolor": "white", "hatch": "////"}
            if name is not None:
                look = {"facecolor": _colour(names, name)}
            ax.add_patch(Rectangle((first, row), last - first, 0.9, edgecolor=palette.GRID, linewidth=0.5, **look))
            if name is not None:
                ax.text(first + 0.2, row + 0.45, name, va="center", fontsize=style.SMALL, clip_on=True)
    ax.set_xlim(0, len(places[0]))
    ax.set_ylim(len(places), 0)
    ax.set_yticks([row + 0.45 for row in range(len(places))], [str(row + 1) for row in range(len(places))])
    return figure


def growth(
    curves: Mapping[str, Mapping[float, float]], title: str, xlabel: str, ylabel: str, doubling: bool = False,
    mark: float | None = None,
) -> CourseFigure:
    """Draw curves[name][x]; `doubling` for sizes that double, `mark` an x to point at.

    Raises ValueError for nothing.
    """
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
    if mark is not None:
        ax.axvline(mark, color=palette.FAINT, linestyle="--", linewidth=1)
    if len(curves) > 1:
        figure.legend(loc="outside lower left", ncols=len(curves), fontsize=style.SMALL, frameon=False)
    return figure


def token_rows(rows: Mapping[str, Sequence[int]], title: str) -> CourseFigure:
    """Draw tokens in rows, the first row is what it should be: a token that differs from it is marked.

    Raises ValueError for nothing.
    """
    lines = {name: list(tokens) for name, tokens in rows.items()}
    if not lines or not any(lines.values()):
        raise ValueError("Nothing to draw: give at least one row with a token.")
    first, most = next(iter(lines.values())), max(map(len, lines.values()))
    figure = style.new(title, height=1.5 + 0.42 * len(lines))
    ax = style.canvas(figure, most + 2.6, len(lines) + 0.7)
    for k in range(most):
        ax.text(k + 3.1, 0.35, str(k + 1), ha="center", va="center", fontsize=style.SMALL, color=palette.INK)
    for row, (name, tokens) in enumerate(lines.items()):
        ax.text(2.45, row + 1.2, name, ha="right", va="center", fontsize=style.LABEL, fontweight="bold")
        for k, token in enumerate(tokens):
            wrong = k >= len(first) or token != first[k]
            look: dict[str, Any] = {"fc": palette.ISOLATED}
            if wrong:
                look = {"fc": palette.LEAK, "hatch": style.LEAK_HATCH}
            ax.add_patch(Rectangle((k + 2.62, row + 0.76), 0.96, 0.88, ec="white", lw=0.6, **look))
            plate = {"fc": "white", "ec": "none", "pad": 1.2} if wrong else None
            ax.text(k + 3.1, row + 1.2, str(token), ha="center", va="center", fontsize=style.SMALL,
                    color=palette.INK if wrong else "white", bbox=plate)
    keys = [Patch(fc=palette.ISOLATED, ec="white", label="the same token"),
            Patch(fc=palette.LEAK, ec="white", hatch=style.LEAK_HATCH, label="another token")]
    figure.legend(handles=keys, loc="outside lower left", ncols=2, fontsize=style.SMALL, frameon=False)
    return figure


def differences(found: Mapping[str, float], title: str, tolerance: float = 1e-4) -> CourseFigure:
    """Draw each request's largest difference between alone and together on a logarithmic scale, beside the tolerance.

    0 is written as such: no bit differs. Raises ValueError for nothing.
    """
    if not found:
        raise ValueError("Nothing to draw: give at least one request.")
    least = 1e-9
    figure = style.new(title, height=1.5 + 0.3 * len(found))
    ax = style.axes(figure, "largest difference of a logit", "request")
    for row, value in enumerate(found.values()):
        wrong = value > tolerance
        color, mark = (palette.LEAK, "X") if wrong else (palette.ISOLATED, "o")
        ax.plot(max(value, least), row, marker=mark, color=color, ms=9, clip_on=False)
        ax.text(max(value, least) * 1.8, row, f"{value:.0e}" if value else "0, not a bit", va="center",
                fontsize=style.SMALL, color=palette.INK)
    ax.set_xscale("log")
    ax.set_xlim(least, 100)
    ax.set_ylim(len(found) - 0.4, -0.6)
    ax.set_yticks(range(len(found)), list(found))
    ax.axvline(tolerance, color=palette.FAINT, linestyle="--", linewidth=1)
    ax.annotate(f"tolerance {tolerance:g}", (tolerance, 1), (3, 2), xycoords=("data", "axes fraction"),
                textcoords="offset points", fontsize=style.SMALL, color=palette.INK)
    return figure


def _runs(line: Sequence[str | None]) -> list[tuple[int, int, str | None]]:
    """Return (first step, last step + 1, name) for each stretch of one name."""
    starts = [step for step in range(len(line)) if step == 0 or line[step] != line[step - 1]]
    return [(a, b, line[a]) for a, b in zip(starts, [*starts[1:], len(line)], strict=True)]


def _colour(names: Sequence[str], name: str) -> str:
    index = names.index(name)
    return palette.owner(index + index // len(palette.OWNERS))  # whoever follows four names later looks different
