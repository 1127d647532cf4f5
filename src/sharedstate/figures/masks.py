"""Figures of unit 04: influence matrices side by side, a loss that is too good, and losses that disagree."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.matrices import draw_cells, keys
from sharedstate.figures.style import CourseFigure
from sharedstate.influence.matrix import Influence

NARROWEST = 5.0                 # inches: a title needs room
SIDE = 2.0                      # inches of one small matrix, its words left out


def mask_grid(
    matrices: Mapping[str, Influence], title: str, columns: int = 3, names: Sequence[str] = ("query", "key")
) -> CourseFigure:
    """Draw influence matrices side by side: {what it is: Influence}; below each stands its worst cell.

    A row asks, a column answers. names: what rows and columns are. Raises ValueError without a matrix.
    """
    if not matrices:
        raise ValueError("Nothing to draw: give at least one matrix.")
    columns = min(columns, len(matrices))
    rows = -(-len(matrices) // columns)
    width = max(NARROWEST, 0.4 + (SIDE + 0.35) * columns)
    figure = style.new(title, width=width, height=1.1 + (SIDE + 1.0) * rows)
    for place, (what, matrix) in enumerate(matrices.items(), 1):
        _matrix(figure.add_subplot(rows, columns, place), what, matrix, names)
    used = {state for matrix in matrices.values() for row in matrix.states for state in row}
    figure.legend(
        handles=keys(used), loc="outside lower left", ncols=len(used), fontsize=style.SMALL, frameon=False
    )
    return figure


def _matrix(ax: Axes, what: str, matrix: Influence, names: Sequence[str]) -> None:
    """Draw one matrix, row 0 at the top, with a letter in each cell."""
    height, width = len(matrix.rows), len(matrix.columns)
    draw_cells(ax, matrix.states, style.SMALL)
    ax.set(xlim=(0, width), ylim=(height, 0), aspect="equal")
    ax.set_xticks([n + 0.5 for n in range(width)], list(map(str, range(width))), fontsize=style.SMALL)
    ax.set_yticks([n + 0.5 for n in range(height)], list(map(str, range(height))), fontsize=style.SMALL)
    ax.tick_params(length=0, pad=1)
    ax.spines[:].set_visible(False)
    ax.set_title(what, fontsize=style.SMALL, fontweight="bold", color=palette.INK, pad=3)
    ax.set_xlabel(f"{names[1]}\n{worst(matrix, names)}", fontsize=style.SMALL, color=palette.INK, labelpad=2)
    ax.set_ylabel(names[0], fontsize=style.SMALL, color=palette.FAINT, labelpad=2)


def worst(matrix: Influence, names: Sequence[str] = ("query", "key")) -> str:
    """Say in a few words what is wrong with a matrix, the first wrong cell named: a line for each kind."""
    row, column = names
    cells = [(r, c, state) for r, states in enumerate(matrix.states) for c, state in enumerate(states)]
    lines: list[str] = []
    for state, words in (("leak", "leaks"), ("lost", "lost"), ("unknown", "not decided")):
        found = [(r, c) for r, c, this in cells if this == state]
        if found and not lines:
            head = f"{len(found)} {words}, first:" if len(found) > 1 else f"1 {words.removesuffix('s')}:"
            lines += [head, f"{row} {found[0][0]}, {column} {found[0][1]}"]
        elif found:
            lines.append(f"{len(found)} {words}")
    return "\n".join(lines) or "clean"


def loss_curves(
    curves: Mapping[str, Sequence[float]], vocab_size: int, title: str | None = None
) -> CourseFigure:
    """Draw training losses (nats) on independent uniform tokens, with ln V and half of it.

    curves: {name: loss at each step}. A name that begins with "no mask" is drawn as the leak.
    """
    entropy = math.log(vocab_size)
    figure = style.new(title or "Below half the entropy nothing honest can go", width=6.4)
    ax = style.axes(figure, "training step", "loss (nats)")
    for name, losses in curves.items():
        bad = name.startswith("no mask")
        look: dict[str, Any] = {"color": palette.LEAK, "ls": "--"} if bad else {"color": palette.ISOLATED, "ls": "-"}
        ax.plot(range(1, len(losses) + 1), losses, lw=2.2, **look)
        ax.text(len(losses) + 1, losses[-1] + (0 if bad else 0.12), name, color=look["color"], va="center",
                fontsize=style.LABEL)
    longest = max(len(losses) for losses in curves.values())
    lines = ((entropy, f"ln {vocab_size}: all that can be known"), (entropy / 2, "half of it: proof"))
    for level, words in lines:
        ax.axhline(level, color=palette.INK, lw=1, ls=":")
        ax.text(longest * 1.27, level - 0.05, words, va="top", ha="right", fontsize=style.SMALL)
    ax.set(ylim=(0, 1.25 * entropy), xlim=(0, longest * 1.28))
    return figure


def loss_bars(
    table: Mapping[str, Mapping[str, float]], chance: float, title: str | None = None
) -> CourseFigure:
    """Draw losses (nats) of some models as groups of bars: {model: {kind of loss: value}}.

    chance: the loss of somebody who guesses evenly; the first model is the honest one.
    """
    kinds = list(next(iter(table.values())))
    figure = style.new(title or "Only the last position tells the cheat", width=6.4)
    ax = style.axes(figure, "", "loss (nats)")
    looks: tuple[dict[str, Any], ...] = ({"fc": palette.ISOLATED}, {"fc": palette.LEAK, "hatch": style.LEAK_HATCH})
    width = 0.8 / len(table)
    for turn, (model, losses) in enumerate(table.items()):
        look = looks[min(turn, 1)]
        for place, kind in enumerate(kinds):
            left = place + (turn - len(table) / 2) * width
            ax.add_patch(Rectangle((left, 0), width * 0.94, losses[kind], ec="white", **look,
                                   label=model if place == 0 else None))
            ax.text(left + width / 2, losses[kind] + 0.06, f"{losses[kind]:.2f}", ha="center",
                    fontsize=style.SMALL)
    ax.axhline(chance, color=palette.INK, lw=1, ls=":")
    ax.text(-0.48, chance + 0.05, "even guessing", fontsize=style.SMALL)
    ax.set_xticks(range(len(kinds)), kinds, fontsize=style.SMALL)
    top = max(chance, *(v for losses in table.values() for v in losses.values()))
    ax.set(xlim=(-0.5, len(kinds) - 0.5), ylim=(0, 1.2 * top))
    ax.legend(fontsize=style.SMALL, frameon=False, loc="center left")
    return figure
