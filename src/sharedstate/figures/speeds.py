"""The explorer beside other tools of its kind, from a recorded run of `bench explorer`."""

from __future__ import annotations

from collections.abc import Mapping

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure

ROWS = (
    ("random_ratio", "random schedules a second"),
    ("object_ratio", "the same, over dicts and lists"),
    ("spin_ratio", "whole search, with a loop"),
    ("exhaustive_ratio_3", "whole search, 3 threads"),
)


def peers(figures: Mapping[str, object], title: str | None = None) -> CourseFigure:
    """Draw how many times faster the explorer is than frontrun, one bar a question, on a logarithmic axis.

    figures: what benchmarks/explorer.py returns; the thin line is the spread (half the distance between the
    quartiles). Raises KeyError for a record that lacks a figure.
    """
    values = [float(figures[key]) for key, _ in ROWS]  # type: ignore[arg-type]
    spread = [float(figures["spread"][key]) for key, _ in ROWS]  # type: ignore[index]
    message = f"{min(values):.0f} to {max(values):.0f} times as fast as frontrun on the same programs"
    figure = style.new(title or message)
    ax = style.axes(figure, "times as fast (logarithmic)", "")
    places = range(len(ROWS) - 1, -1, -1)
    ax.barh(list(places), values, color=palette.ISOLATED, xerr=spread, ecolor=palette.INK, height=0.6)
    for place, value, wide in zip(places, values, spread, strict=True):
        ax.text((value + wide) * 1.1, place, f"{value:.0f} ×", va="center", fontsize=style.LABEL, color=palette.INK)
    ax.set_xscale("log")
    ax.set_xlim(1, max(v + s for v, s in zip(values, spread, strict=True)) * 2.2)
    ax.set_yticks(list(places), [label for _, label in ROWS])
    return figure
