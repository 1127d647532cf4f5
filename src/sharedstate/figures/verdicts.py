"""Figures of verdicts: the circle of a deadlock, and two programs side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure
from sharedstate.interleave.result import Result
from sharedstate.interleave.show import knot as render_knot
from sharedstate.interleave.show.knot import Knot, knot
from sharedstate.interleave.show.words import clip, outcome_text, short_names
from sharedstate.interleave.trace import Trace

LONGEST, MOST_ROWS = 34, 8


def deadlock(trace: Trace | None, title: str | None = None) -> CourseFigure:
    """Draw who waits for what and who holds it: threads as boxes, locks as round plates, arrows in a ring.

    trace: a schedule whose verdict is "deadlock". Raises ValueError for one in which nobody waits in a circle, and
    for None, the smallest failing schedule of a program that is proved.
    """
    if trace is None:
        raise ValueError("There is no schedule to draw: nothing failed, so nobody waits for ever.")
    found = knot(trace)
    if found is None or not found.cycle:
        raise ValueError("This schedule has no circle of threads that wait for one another.")
    width, height = render_knot.size(found)
    names = short_names(trace)
    figure = style.new(title or _message(found), height=0.9 + height / 100)
    ax = style.canvas(figure, width + 20, height + 20)
    ax.set(xlim=(-10, width + 10), ylim=(height + 10, -10), aspect="equal")
    nodes = render_knot.stations(found, names, width, height)
    for k, node in enumerate(nodes):
        _arrow(ax, node, nodes[(k + 1) % len(nodes)], 11 if len(nodes) == 2 else 0)
    for name, is_thread, x, y in nodes:
        color = palette.owner(trace.threads.index(name)) if is_thread else "white"
        _plate(ax, x, y, color, is_thread)
        ax.text(x, y, clip(name, 15), ha="center", va="center", fontsize=style.LABEL, fontweight="bold")
    return figure


def _message(found: Knot) -> str:
    if len(found.cycle) == 1:
        return f"{found.cycle[0].thread.capitalize()} waits for a lock that nobody else can give back"
    names = [wait.thread.capitalize() for wait in found.cycle]
    return f"{', '.join(names[:-1])} and {names[-1]} wait for one another, for ever"


def _plate(ax: Axes, x: float, y: float, color: str, is_thread: bool) -> None:
    wide, high = render_knot.BOX
    look = f"round,pad=0,rounding_size={4 if is_thread else high / 2}"
    corner = (x - wide / 2, y - high / 2)
    ax.add_patch(FancyBboxPatch(corner, wide, high, boxstyle=look, fc=color, ec=palette.INK, lw=1.4, zorder=3))


def _arrow(ax: Axes, start: render_knot.Node, end: render_knot.Node, aside: float) -> None:
    """An arrow with its word; `aside` moves it off the line between the two middles."""
    first, last = render_knot.edge(start[2:], end[2:]), render_knot.edge(end[2:], start[2:])
    shift = aside if start[2] < end[2] else -aside
    look: dict[str, Any] = {"arrowstyle": "->", "lw": 1.8, "color": palette.LEAK, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (last[0], last[1] + shift), (first[0], first[1] + shift), arrowprops=look)
    x, y = (first[0] + last[0]) / 2, (first[1] + last[1]) / 2 + shift
    plate: dict[str, Any] = {"fc": "white", "ec": "none", "pad": 1.5}
    said = "waits for" if start[1] else "held by"
    ax.text(x, y, said, ha="center", va="center", fontsize=style.SMALL, bbox=plate)


def compare(
    results: Sequence[Result], names: Sequence[str] = ("racy", "fixed"), title: str | None = None
) -> CourseFigure:
    """Draw which outcomes each program can have: one column per program, one row per outcome.

    results: two or more results of the same threads. A full mark is an outcome that was seen (with the number
    of executions that had it), an empty one was not. A cross at the outcome: no program that is proved can have it.
    """
    if len(results) != len(names) or len(results) < 2:
        raise ValueError("compare takes two results or more, and as many names")
    every = sorted(set().union(*(r.outcomes for r in results)), key=repr)
    rows, more = every[:MOST_ROWS], len(every) - MOST_ROWS
    figure = style.new(title or _compared(results, names), height=1.5 + 0.42 * (len(rows) + (more > 0)))
    ax = style.canvas(figure, 10, len(rows) + 1.4 + (more > 0))
    places = [6.0 + 3.2 * k / (len(names) - 1) for k in range(len(names))]
    fine = set().union(*(r.outcomes for r in results if r.verdict == "proved"))
    for x, name, result in zip(places, names, results, strict=True):
        color = palette.ISOLATED if result.verdict == "proved" else palette.LEAK
        look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": style.LABEL}
        ax.text(x, 0.3, clip(name, 16), fontweight="bold", **look)
        ax.text(x, 0.85, result.verdict, color=color, **look)
    for k, outcome in enumerate(rows):
        text = clip(outcome_text(outcome, results[0].threads), LONGEST)
        text = text if outcome in fine or not fine else f"{palette.WRONG} {text}"
        ax.text(5.0, k + 1.75, text, ha="right", va="center", fontsize=style.SMALL)
        for x, result in zip(places, results, strict=True):
            _dot(ax, x, k + 1.75, result, outcome, palette.ISOLATED if outcome in fine else palette.LEAK)
    if more > 0:
        ax.text(5.0, len(rows) + 1.75, f"and {more} more", ha="right", va="center", fontsize=style.SMALL)
    return figure


def _dot(ax: Axes, x: float, y: float, result: Result, outcome: tuple, color: str) -> None:
    here = outcome in result.outcomes
    look: dict[str, Any] = {
        "marker": "o",
        "ms": 11,
        "mec": color if here else palette.FAINT,
        "mew": 1.5,
    }
    ax.plot([x - 0.35], [y], mfc=color if here else "white", clip_on=False, **look)
    number = result.counts.get(outcome, 0)
    said = f"{number:,} x" if number else "" if here else "-"
    ax.text(x - 0.05, y, said, ha="left", va="center", fontsize=style.SMALL)


def _compared(results: Sequence[Result], names: Sequence[str]) -> str:
    parts = [f"{name} {len(r.outcomes)}" for name, r in zip(names, results, strict=True)]
    return "How many outcomes are possible: " + ", ".join(parts)
