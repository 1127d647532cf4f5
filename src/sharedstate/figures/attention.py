"""What attention computes, in numbers: scores, weights and answers of a few tokens side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure

CELL = 0.62  # inches
Table = Sequence[Sequence[float]]


def attention_tables(
    words: Sequence[str], scores: Table, weights: Table, answers: Table, title: str
) -> CourseFigure:
    """Draw scores [S, S], weights [S, S] and answers [S, D] of some tokens, from left to right.

    A row is a token that asks. A weight is the darker the larger it is. Raises ValueError for tables that do not fit
    the words.
    """
    if not words or any(len(table) != len(words) for table in (scores, weights, answers)):
        raise ValueError(f"Each table needs a row for each of the {len(words)} words.")
    size, wide = len(words), len(answers[0])
    columns = 1.3 + 2 * (size + 0.9) + wide + 0.2
    figure = style.new(title, width=max(5.0, CELL * columns), height=1.0 + CELL * 0.8 * (size + 1.4))
    ax = style.canvas(figure, columns, size + 1.5)
    for row, word in enumerate(words):
        ax.text(1.2, row + 2.0, word, ha="right", va="center", fontsize=style.LABEL, fontweight="bold")
    ax.text(1.2, 1.25, "asks", ha="right", va="center", fontsize=style.SMALL, color=palette.FAINT)
    left = 1.3
    for name, table, shaded, heads in (
        ("scores  QKᵀ/√d", scores, False, words), ("weights  softmax", weights, True, words),
        ("answers  × V", answers, False, ()),
    ):  # fmt: skip
        _table(ax, left, name, table, shaded, heads)
        left += len(table[0]) + 0.9
        if left < columns - 0.5:
            ax.annotate("", (left - 0.15, size / 2 + 1.5), (left - 0.75, size / 2 + 1.5),
                        arrowprops={"arrowstyle": "->", "lw": 1.6, "color": palette.INK})  # fmt: skip
    return figure


def _table(ax: Axes, left: float, name: str, table: Table, shaded: bool, heads: Sequence[str]) -> None:
    """Draw one table with its name, its column heads and a number in each cell."""
    middle: dict[str, Any] = {"ha": "center", "va": "center"}
    ax.text(left + len(table[0]) / 2, 0.45, name, fontsize=style.SMALL, fontweight="bold", **middle)
    for column, head in enumerate(heads):
        ax.text(left + column + 0.5, 1.25, head, fontsize=style.SMALL, color=palette.FAINT, **middle)
    for row, numbers in enumerate(table):
        for column, number in enumerate(numbers):
            corner = (left + column + 0.03, row + 1.53)
            share = float(number) if shaded else 0.0
            ax.add_patch(Rectangle(corner, 0.94, 0.94, fc="white", ec=palette.FAINT, lw=0.7))
            ax.add_patch(Rectangle(corner, 0.94, 0.94, fc=palette.ISOLATED, ec="none", alpha=0.85 * share))
            ink = "white" if share > 0.6 else palette.INK
            said = f"{number:.0f}" if abs(number) >= 10 else f"{number:.1f}".replace("-0.0", "0.0")
            ax.text(left + column + 0.5, row + 2.0, said, fontsize=style.SMALL, color=ink, **middle)
