"""Figures of a diagnosis: who wrote what was read, how a case shrank, and what a forced schedule is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.patches import FancyBboxPatch

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure, get

LONGEST = 52


def who_wrote(finding: object, title: str | None = None) -> CourseFigure:
    """Draw a finding of sharedstate.watch: the writer's line above, the place between, the reader's line below."""
    reader, writer, what = (str(get(finding, name)) for name in ("reader", "writer", "what"))
    figure = style.new(title or f"{reader.capitalize()} reads what {writer.capitalize()} wrote", height=3.3)
    ax = style.canvas(figure, 10, 6)
    rows = ((writer, "write", 0.4, palette.owner(0)), (reader, "access", 4.4, palette.owner(1)))
    for who, name, y, color in rows:
        access = get(finding, name)
        _box(ax, 0.2, y, 9.6, 1.2, color)
        ax.text(0.5, y + 0.38, f"{who}, {get(access, 'place')}", va="center", fontsize=style.SMALL, fontweight="bold")
        code = get(access, "code").partition("  #")[0].strip()
        code = code if len(code) <= LONGEST else f"{code[: LONGEST - 1]}…"
        ax.text(0.5, y + 0.85, code, va="center", fontsize=style.SMALL, family="monospace")
    _box(ax, 2.6, 2.5, 4.8, 0.9, "white")
    ax.text(5, 2.95, what, ha="center", va="center", fontsize=style.LABEL, fontweight="bold", color=palette.LEAK)
    for start, end, word in ((1.6, 2.5, "writes"), (3.4, 4.4, "is read")):
        look: dict[str, Any] = {"arrowstyle": "->", "lw": 1.8, "color": palette.LEAK}
        ax.annotate("", (5, end), (5, start), arrowprops=look)
        ax.text(5.2, (start + end) / 2, word, va="center", fontsize=style.SMALL)
    return figure


def _box(ax: Any, x: float, y: float, wide: float, high: float, color: str) -> None:
    look = "round,pad=0,rounding_size=0.15"
    ax.add_patch(FancyBboxPatch((x, y), wide, high, boxstyle=look, fc=color, ec=palette.INK, lw=1.2))


def shrunk(sizes: Sequence[tuple[int, int, int]], runs: int, title: str | None = None) -> CourseFigure:
    """Draw (requests, steps, tokens) along a shrinker's path, each case that still failed."""
    first, last = sizes[0], sizes[-1]
    message = f"{first[0]} requests, {first[2]} tokens become {last[0]} and {last[2]} in {runs} runs"
    figure = style.new(title or message)
    ax = style.axes(figure, "case that still fails", "how many")
    for column, (name, mark) in enumerate((("requests", "o"), ("steps", "s"), ("tokens", "^"))):
        values = [size[column] for size in sizes]
        ax.plot(range(len(sizes)), values, marker=mark, color=palette.OWNERS[column], mec=palette.INK, label=name)
    ax.set_yscale("log")
    ax.set_yticks([1, 3, 10, 30, 100, 300], ["1", "3", "10", "30", "100", "300"])
    ax.set_yticks([], minor=True)
    ax.legend(fontsize=style.SMALL, frameon=False)
    return figure


def seconds_to_find(rows: Mapping[str, float], title: str) -> CourseFigure:
    """Draw how long each way took (seconds, on a logarithmic axis), with its time in words."""
    figure = style.new(title, height=1.4 + 0.5 * len(rows))
    ax = style.axes(figure, "seconds until it is found")
    for at, seconds in enumerate(rows.values()):
        ax.plot(seconds, at, marker="o", ms=9, color=palette.ISOLATED if seconds < 0.1 else palette.INK)
        said = f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"
        ax.annotate(said, (seconds, at), xytext=(9, 0), textcoords="offset points", va="center", fontsize=style.SMALL)
    ax.set_yticks(range(len(rows)), list(rows), fontsize=style.SMALL)
    ax.set_xscale("log")
    ax.set_xlim(1e-4, max(rows.values()) * 12)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    return figure


def answers(rows: Mapping[str, tuple[Sequence[bool], bool]], questions: Sequence[str], title: str) -> CourseFigure:
    """Draw cards by questions: yes or no to each, and whether shared state was behind it."""
    figure = style.new(title, height=1.5 + 0.3 * len(rows))
    ax = style.canvas(figure, 10, len(rows) + 1.3)
    heads = (*questions, "a leak?")
    for at, head in enumerate(heads):
        ax.text(4.1 + 1.25 * at, 0.5, head, ha="center", va="center", fontsize=style.SMALL, fontweight="bold")
    for k, (name, (given, family)) in enumerate(rows.items()):
        ax.text(3.2, k + 1.5, name, ha="right", va="center", fontsize=style.SMALL)
        for at, yes in enumerate((*given, family)):
            color = palette.LEAK if yes and at == len(questions) else palette.OWNERS[2] if yes else palette.ALLOWED
            look: dict[str, Any] = {"fc": color, "ec": "white", "boxstyle": "square,pad=0"}
            ax.add_patch(FancyBboxPatch((3.55 + 1.25 * at, k + 1.08), 1.1, 0.84, **look))
            ax.text(4.1 + 1.25 * at, k + 1.5, "yes" if yes else "no", ha="center", va="center", fontsize=style.SMALL)
    return figure
