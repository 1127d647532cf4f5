"""Figures of unit 07: how far engines are off, which oracle sees which bug, what becomes of an error afterwards."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from matplotlib.patches import Patch, Rectangle

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure

NAME, CELL, ROW, HEAD = 1.95, 0.8, 0.34, 0.45        # inches
LOOKS: Mapping[object, tuple[str, str | None, str, str]] = MappingProxyType({
    True: (palette.ISOLATED, None, "white", "sees"), False: ("white", None, palette.INK, "blind"),
})


def oracle_matrix(table: Mapping[str, Mapping[str, object]], title: str | None = None) -> CourseFigure:
    """Draw table[bug][oracle]: True where the oracle sees the bug every time, False where it is blind, None where it
    does not apply; a text is written into a grey cell as it is ("29 of 60").

    Raises ValueError for an empty table.
    """
    if not table or not next(iter(table.values())):
        raise ValueError("Nothing to draw: give at least one bug and one oracle.")
    oracles = list(next(iter(table.values())))
    cell = min(CELL, (6.4 - NAME - 0.2) / len(oracles))
    figure = style.new(title or _message(table), 6.4, 1.35 + HEAD + ROW * len(table))
    ax = style.canvas(figure, NAME + cell * len(oracles), HEAD + ROW * len(table))
    for column, oracle in enumerate(oracles):
        ax.text(NAME + cell * (column + 0.5), HEAD - 0.06, oracle.replace(" ", "\n"), ha="center", va="bottom",
                fontsize=style.SMALL, color=palette.INK)
    for row, (bug, seen) in enumerate(table.items()):
        top = HEAD + ROW * row
        ax.text(NAME - 0.1, top + ROW / 2, bug, ha="right", va="center", fontsize=style.SMALL, color=palette.INK)
        for column, oracle in enumerate(oracles):
            partly = (palette.ALLOWED, None, palette.INK, str(seen[oracle] or "-"))
            fill, hatch, ink, word = LOOKS.get(seen[oracle], partly)
            corner = (NAME + cell * column + 0.02, top + 0.02)
            ax.add_patch(Rectangle(corner, cell - 0.04, ROW - 0.04, fc=fill, hatch=hatch, ec=palette.ALLOWED, lw=0.8))
            ax.text(corner[0] + cell / 2 - 0.02, top + ROW / 2, word, ha="center", va="center", color=ink,
                    fontsize=style.SMALL)
    keys = [Patch(fc=fill, hatch=hatch, ec=palette.ALLOWED, label=words) for (fill, hatch, _, _), words in
            zip(LOOKS.values(), ("sees it every time", "blind"), strict=True)]
    shares = [word for seen in table.values() for word in seen.values() if type(word) is str]
    if shares:
        keys.append(Patch(fc=palette.ALLOWED, ec="white", label=f"\"{shares[0]}\": sees it in so many trials"))
    figure.legend(handles=keys, loc="outside lower left", ncols=3, fontsize=style.SMALL, frameon=False)
    return figure


def _message(table: Mapping[str, Mapping[str, object]]) -> str:
    """Say whether any oracle sees all."""
    oracles = next(iter(table.values()))
    whole = [oracle for oracle in oracles if all(seen[oracle] is True for seen in table.values())]
    if not whole:
        return "No oracle sees every bug: take two"
    words = ", ".join(f"'{oracle}'" for oracle in whole)
    return f"Only {words} sees every bug" if len(whole) == 1 else f"{words} see every bug"


def logit_errors(
    rows: Sequence[tuple[str, str, float]], title: str, tolerance: float = 1e-4, quiet: str = "silent"
) -> CourseFigure:
    """Draw how far logits are off, a dot a row on a logarithmic scale: blue up to the tolerance, vermilion above it.

    rows: (group, name, error), a group's rows together; the dot of a name with the word `quiet` is hollow. A NaN or an
    infinite error stands at the right edge. Raises ValueError without rows.
    """
    if not rows:
        raise ValueError("Nothing to draw: give at least one row.")
    groups = list(dict.fromkeys(group for group, _, _ in rows))
    figure = style.new(title, 6.4, 1.15 + 0.24 * (len(rows) + len(groups)))
    ax = style.axes(figure, "largest error of the logits")
    least, most, y = tolerance / 1e5, 1e3, 0
    ticks, words = [], []
    for group in groups:
        ax.text(least * 1.2, y, group, va="center", fontsize=style.SMALL, fontweight="bold", color=palette.INK,
                bbox={"fc": "white", "ec": "none", "pad": 1.5})
        for _, name, error in (row for row in rows if row[0] == group):
            y += 1
            wrong = not error <= tolerance
            shown = error if math.isfinite(error) else most / 3
            color = palette.LEAK if wrong else palette.ISOLATED
            ax.plot(max(shown, least * 2), y, "X" if wrong else "o", color=color, ms=8, clip_on=False,
                    mfc="white" if quiet in name else color)
            said = f"{error:.1g}" if math.isfinite(error) else "NaN"
            ax.text(max(shown, least * 2) * 2.4, y, f"{said}  wrong" if wrong else said, va="center",
                    fontsize=style.SMALL, color=palette.INK)
            ticks.append(y)
            words.append(name)
        y += 1
    ax.set_yticks(ticks, words, fontsize=style.SMALL)
    ax.tick_params(axis="y", length=0)
    ax.axvline(tolerance, color=palette.INK, lw=1, ls=":")
    ax.text(tolerance * 1.3, y - 0.1, "tolerance", va="center", fontsize=style.SMALL)
    ax.set(xscale="log", xlim=(least, most * 30), ylim=(y + 0.3, -0.7))
    return figure


def error_over_steps(
    forced: Sequence[float] | Mapping[str, Sequence[float]], differing: Sequence[float], tolerance: float = 1e-4,
    title: str | None = None,
) -> CourseFigure:
    """Draw the logit error at each step after a pollution (the same tokens forced), and beside it the share of texts
    that differ by then when each writes on by itself.

    forced: error at steps 0, 1, 2 …, the polluted one first; or several such lines by name. differing: shares from 0
    to 1 at the same steps, for the first line.
    """
    lines = forced if isinstance(forced, Mapping) else {"": forced}
    plain = "The logits recover; the text goes its own way"
    figure = style.new(title or (plain if len(lines) == 1 else "What has passed fades; what stays does not"), 6.4, 3.5)
    left = style.axes(figure, "steps after the pollution", "logit error", at=(1, 2, 1))
    looks = ((palette.LEAK, "o"), (palette.INK, "s"), (palette.LOST, "^"))
    for (name, errors), (color, marker) in zip(lines.items(), looks, strict=False):
        left.semilogy(range(len(errors)), errors, color=color, lw=2, marker=marker, ms=3.5, label=name)
    if len(lines) > 1:
        shown = left.get_legend_handles_labels()
        figure.legend(*shown, loc="outside lower left", ncols=3, fontsize=style.SMALL, frameon=False)
    left.axhline(tolerance, color=palette.INK, lw=1, ls=":")
    left.text(0, tolerance * 1.15, "tolerance", va="bottom", fontsize=style.SMALL)
    left.set_ylim(tolerance / 3, max(max(errors) for errors in lines.values()) * 4)
    left.set_title("the same tokens for both", fontsize=style.SMALL, color=palette.INK)
    right = style.axes(figure, "steps after the pollution", "texts that differ", at=(1, 2, 2))
    right.step(range(len(differing)), [100 * share for share in differing], color=palette.LEAK, lw=2, where="post")
    right.set(ylim=(0, 105))
    right.yaxis.set_major_formatter(lambda value, _: f"{value:.0f} %")
    right.set_title("each chooses its own", fontsize=style.SMALL, color=palette.INK)
    return figure
