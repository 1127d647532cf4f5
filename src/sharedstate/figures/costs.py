"""What isolation costs, and which grain holds: marks with their spread, and a table of verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from sharedstate.figures.style import (
    LABEL,
    LEAK_HATCH,
    LOST_HATCH,
    SMALL,
    CourseFigure,
    axes,
    canvas,
    get,
    new,
)
from sharedstate.palette import ALLOWED, FAINT, INK, ISOLATED, LEAK, LOST, OWNERS

ORDER = ("lock", "thread_local", "local", "immutable")
POPULAR = 10
TOP = 45
MARKS = ("o", "s", "^", "D")
GRAIN = MappingProxyType({"leaks": (LEAK, LEAK_HATCH), "fits": (ISOLATED, ""), "wastes": (LOST, LOST_HATCH)})
ROW, FIRST, WIDE = 1.0, 2.3, 1.5


def prices(results: Sequence[object], words: Mapping[str, str], title: str | None = None) -> CourseFigure:
    """Draw each fix's time as a multiple of the racy checker's, a group of marks for each kind of work.

    results: PriceResult (config.work, config.fix, ratio, spread); words: the name of each kind of work.
    The whiskers reach from the lowest to the highest round. A fix has its own place and colour in every picture.
    """
    works = list(dict.fromkeys(get(r, "config", "work") for r in results))
    fixes = sorted(dict.fromkeys(get(r, "config", "fix") for r in results), key=_look)
    figure = new(title or _message(results, words), height=4.2)
    ax = axes(figure, ylabel="time, racy checker = 1")
    for result in sorted(results, key=lambda r: _look(get(r, "config", "fix"))):
        _mark(ax, result, works, fixes)
    ax.axhline(1, color=INK, linewidth=1)
    ax.axhline(POPULAR, color=FAINT, linestyle="--", linewidth=1)
    ax.annotate('"ten times slower"', (0.01, POPULAR), xycoords=("axes fraction", "data"), xytext=(0, 3),
                textcoords="offset points", color=FAINT, fontsize=SMALL)
    ax.set_yscale("log")
    ax.set_yticks([0.5, 1, 2, 5, 10], ["0.5", "1", "2", "5", "10"])
    ax.set_yticks([], minor=True)
    ax.set_xticks(range(len(works)), [words[w].replace(" of ", "\nof ") for w in works], fontsize=LABEL)
    ax.set_ylim(0.25, TOP)
    ax.legend(ncols=len(fixes), loc="upper center", fontsize=SMALL, frameon=False)
    return figure


def _mark(ax: Axes, result: Any, works: list[str], fixes: list[str]) -> None:
    """One mark with its whiskers and its number; no bar, since the axis has no zero."""
    work, fix = get(result, "config", "work"), get(result, "config", "fix")
    k, look, (low, high) = fixes.index(fix), _look(fix) % 4, get(result, "spread")
    wide, ratio = 0.8 / len(fixes), get(result, "ratio")
    x = works.index(work) + (k - (len(fixes) - 1) / 2) * wide
    label = fix.replace("_", "-") if work == works[0] else None
    ax.vlines(x, low, high, color=INK, linewidth=1.2)
    ax.plot([x], [ratio], MARKS[look], color=OWNERS[look], mec=INK, ms=9, ls="none", label=label)
    ax.annotate(f"{ratio:.1f}", (x, min(max(ratio, high), TOP / 3)), xytext=(0, 5), textcoords="offset points",
                ha="center", fontsize=SMALL)


def _look(fix: str) -> int:
    return ORDER.index(fix) if fix in ORDER else len(ORDER)


def _message(results: Sequence[object], words: Mapping[str, str]) -> str:
    """Say where a repair costs most, as measured."""
    most = max(results, key=lambda r: get(r, "ratio"))
    fix, work = get(most, "config", "fix").replace("_", "-"), words[get(most, "config", "work")]
    told = f"{fix}, {work}: {get(most, 'ratio'):.1f} ×"
    if len({get(r, "config", "work") for r in results}) > 1:
        return f"The price depends on the work: most for {told}"
    return f"Most expensive: {told}" if len(results) > 1 else f"The price of {told}"


def grain(table: Mapping[str, Mapping[str, str]], title: str | None = None) -> CourseFigure:
    """Draw which unit of isolation holds under which unit of concurrency.

    table[what runs at the same time][what has its own state] is "leaks", "fits" or "wastes".
    """
    rows, columns = list(table), list(next(iter(table.values())))
    figure = new(title or "Isolate at the grain of your concurrency: coarser leaks, finer wastes", height=3.2)
    ax = canvas(figure, FIRST + WIDE * len(columns), ROW * (len(rows) + 1))
    ax.set_ylim(ROW * (len(rows) + 1), 0.4)
    for k, column in enumerate(columns):
        ax.text(FIRST + WIDE * (k + 0.5), 0.75, column, ha="center", va="center", fontsize=SMALL, color=INK)
    for j, row in enumerate(rows):
        ax.text(FIRST - 0.1, ROW * (j + 1.5), row, ha="right", va="center", fontsize=SMALL, color=INK)
        for k, column in enumerate(columns):
            word = table[row][column]
            color, hatch = GRAIN.get(word, (ALLOWED, ""))
            corner = (FIRST + WIDE * k + 0.05, ROW * (j + 1) + 0.06)
            ax.add_patch(Rectangle(corner, WIDE - 0.1, ROW - 0.12, color=color, alpha=0.25))
            ax.add_patch(Rectangle(corner, WIDE - 0.1, ROW - 0.12, fill=False, edgecolor=color, hatch=hatch))
            ax.text(corner[0] + WIDE / 2 - 0.05, corner[1] + ROW / 2 - 0.06, word, ha="center", va="center",
                    fontsize=LABEL, color=INK, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5})
    return figure
