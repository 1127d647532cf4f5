"""Figures of random streams: who got which passcode, which derivations collide, and what is biased."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.colors import ListedColormap

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure

DOTS = 48
CLEAN: Mapping[str, Any] = MappingProxyType({"color": palette.ISOLATED})
DIRTY: Mapping[str, Any] = MappingProxyType({"color": palette.LEAK, "hatch": style.LEAK_HATCH, "ec": "white"})
GRAINS = MappingProxyType({
    "none": "shared, no lock", "draw": "lock a draw", "passcode": "lock a passcode", "own": "one each"})


def assignment(serial: Sequence[Sequence[object]], runs: Mapping[str, Sequence[Sequence[object]]],
               title: str) -> CourseFigure:
    """Draw which unit each passcode belongs to by the serial run, one row a unit, one board a run.

    serial and each run: for every unit its passcodes. A colour stands for the owner, from dark (unit 0) to
    light (the last one); white: a passcode that the serial run does not hold. Raises ValueError without a run.
    """
    if not runs:
        raise ValueError("There is nothing to draw: give at least one run.")
    owner = {code: unit for unit, codes in enumerate(serial) for code in codes}
    figure = style.new(title, width=max(style.WIDTH, 2.4 * len(runs)), height=3.4)
    for number, (label, units) in enumerate(runs.items(), 1):
        ax = style.axes(figure, "passcode of the unit", "unit" if number == 1 else "", at=(1, len(runs), number))
        places = np.linspace(0, len(units[0]) - 1, min(DOTS, len(units[0]))).astype(int)
        board = np.array([[owner.get(codes[k], -1) for k in places] for codes in units], dtype=float)
        board = np.where(board < 0, np.nan, board)
        colours = [palette.RING[unit * len(palette.RING) // len(units)] for unit in range(len(units))]
        scale: dict[str, Any] = {"cmap": ListedColormap(colours), "vmin": -0.5, "vmax": len(units) - 0.5}
        extent = (0, len(units[0]), len(units) - 0.5, -0.5)
        image = ax.imshow(board, aspect="auto", interpolation="nearest", extent=extent, **scale)
        ax.set_title(label, fontsize=style.SMALL, color=palette.INK)
    bar = figure.colorbar(image, ax=figure.axes, ticks=[0, len(serial) - 1], shrink=0.9)
    bar.set_label("unit that has it in the serial run", fontsize=style.SMALL, color=palette.INK)
    return figure


def collisions(distinct: Mapping[str, int], total: int, title: str) -> CourseFigure:
    """Draw how many different streams each derivation gives, of `total` that should differ."""
    figure = style.new(title, height=1.3 + 0.4 * len(distinct))
    ax = style.axes(figure, f"different streams of {total:,}")
    names = list(distinct)[::-1]
    for place, name in enumerate(names):
        clean = distinct[name] == total
        ax.barh(place, distinct[name], **(CLEAN if clean else DIRTY))
        ax.text(distinct[name] + total / 100, place, f"{distinct[name]:,}", va="center", fontsize=style.SMALL)
    ax.set_yticks(range(len(names)), names)
    ax.set_xlim(0, total * 1.1)
    return figure


def symbol_counts(counts: Mapping[str, Sequence[int]], title: str) -> CourseFigure:
    """Draw how often each symbol came, relative to its fair share, one board for each way to draw."""
    figure = style.new(title, height=3.2)
    for number, (label, numbers) in enumerate(counts.items(), 1):
        ax = style.axes(figure, "symbol", "times its fair share" if number == 1 else "", at=(1, len(counts), number))
        fair = sum(numbers) / len(numbers)
        shares = [n / fair for n in numbers]
        color = [palette.LEAK if share > 1.1 else palette.ISOLATED for share in shares]
        ax.bar(range(len(shares)), shares, color=color, width=1.0)
        ax.axhline(1, color=palette.INK, lw=1, ls="--")
        ax.set(ylim=(0, 1.5))
        ax.set_title(label, fontsize=style.SMALL, color=palette.INK)
    return figure


def generator_runs(results: Sequence[object], title: str | None = None) -> CourseFigure:
    """Draw, for each UnitsResult, the time, and beside it the units that kept their stream and the copies.

    title: what the results say unless given. Raises ValueError without a result.
    """
    if not results:
        raise ValueError("There is nothing to draw: give at least one result.")
    figure = style.new(title or _says(results), height=1.5 + 0.45 * len(results))
    ax = style.axes(figure, "milliseconds")
    longest = max(style.get(each, "seconds") for each in results) * 1e3
    for place, each in enumerate(reversed(list(results))):
        copies, milliseconds = style.get(each, "duplicates"), 1e3 * style.get(each, "seconds")
        ax.barh(place, milliseconds, **(CLEAN if _kept(each) and not copies else DIRTY))
        text = f"{style.get(each, 'same_units')} of {style.get(each, 'config', 'units')} units, {copies:,} copies"
        ax.text(milliseconds + longest / 80, place, text, va="center", fontsize=style.SMALL)
    ax.set_yticks(range(len(results)), [GRAINS[style.get(e, "config", "grain")] for e in reversed(list(results))])
    ax.set_xlim(0, longest * 1.6)
    return figure


def _kept(result: object) -> bool:
    return style.get(result, "same_units") == style.get(result, "config", "units")


def _says(results: Sequence[object]) -> str:
    """Return the message of the results: with which generators every unit kept its stream."""
    kept = [GRAINS[style.get(each, "config", "grain")] for each in results if _kept(each)]
    if not kept:
        return "Not every unit got its serial passcodes"
    if len(kept) == len(results):
        alone = all(style.get(each, "config", "threads") == 1 for each in results)
        return f"{'With one thread' if alone else 'Here'} every unit got its serial passcodes"
    if kept == [GRAINS["own"]]:
        return "Only a generator of its own gave every unit its own stream"
    return f"Every unit got its serial passcodes only with: {'; '.join(kept)}"
