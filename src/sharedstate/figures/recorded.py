"""The recorded table of a free-threaded Python beside Pythons with a GIL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.races import PER_100K, thread_axis
from sharedstate.figures.style import CourseFigure, get

NONE_SEEN = 0.5


def free_threaded(table: Sequence[object], spin: int | None = None, title: str | None = None) -> CourseFigure:
    """Draw recorded false accepts per 100,000 against threads, a band from lowest to highest for each build.

    table: rows with build, gil, spin and per_100k {threads: (lowest, highest)}; spin: draw the rows with this
    gap only, None those of the first row.
    """
    gap = get(table[0], "spin") if spin is None else spin
    rows = [row for row in table if get(row, "spin") == gap]
    if not rows:
        known = sorted({get(row, "spin") for row in table})
        raise ValueError(f"No row with spin={gap}. Recorded: {', '.join(map(str, known))}.")
    figure = style.new(title or _message(rows))
    ax = style.axes(figure, "threads", f"false accepts {PER_100K}")
    ax.set_yscale("log")
    for k, row in enumerate(rows):
        _band(ax, row, k)
    figure.legend(loc="outside lower center", ncols=3, fontsize=style.SMALL, frameon=False, handlelength=2.5)
    thread_axis(ax, sorted(get(rows[0], "per_100k")))
    ax.set_ylim(NONE_SEEN / 2, 60_000)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:,.0f}" if y >= 1 else ""))
    ax.annotate(
        f"recorded, gap of {gap} loop turns", (0.02, 0.98), xycoords="axes fraction", va="top", fontsize=10
    )
    return figure


def _message(rows: list) -> str:
    free = [low for r in rows if not get(r, "gil") for low, _ in get(r, "per_100k").values()]
    held = [high for r in rows if get(r, "gil") for _, high in get(r, "per_100k").values()]
    if free and held and min(free) > max(held):
        return "Without the GIL the same checker fails far more often"
    return "False accepts on recorded builds"


def _band(ax: Axes, row: object, k: int) -> None:
    spans = sorted(get(row, "per_100k").items())
    counts = [n for n, _ in spans]
    low, high = ([max(span[side], NONE_SEEN) for _, span in spans] for side in (0, 1))
    gil = get(row, "gil")
    color, hatch = (palette.ISOLATED, None) if gil else (palette.LEAK, style.LEAK_HATCH)
    dash = "--" if k > 1 else "-"
    ax.fill_between(counts, low, high, color=color, alpha=0.25, hatch=hatch, lw=0)
    ax.plot(
        counts,
        high,
        dash,
        marker="s" if gil else "o",
        color=color,
        ms=6,
        lw=1.5,
        label=str(get(row, "build")),
    )


# -- The explorer beside other tools of its kind, from a recorded run of `bench explorer`.


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
