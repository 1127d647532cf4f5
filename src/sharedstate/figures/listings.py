"""A method line by line, with the places where the running Python may hand over to another thread."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from matplotlib.patches import Rectangle

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure, get
from sharedstate.interleave.show.words import clip
from sharedstate.switch_points import switch_points as read
from sharedstate.wording import count

KINDS = (
    ("entry", "on entry"),
    ("loop", "at the loop"),
    ("call", "at a call"),
    ("hidden", "maybe: hidden call"),
)
SHOWN, WHOLE = 46, 64


def switch_points(
    function: Callable[..., object] | Sequence[object],
    source: str = "",
    first_line: int = 1,
    title: str | None = None,
) -> CourseFigure:
    """Draw a function's source with a mark at every line where this interpreter may switch threads.

    function: a Python function (its points are read from its bytecode), or SwitchPoint rows (line, kind)
    together with the source text and the number of its first line.
    """
    points: Sequence[Any]
    if callable(function):
        points = read(function)
        lines, first_line = inspect.getsourcelines(function)
        source = "".join(lines)
    else:
        points = function
    kinds: dict[int, list[str]] = {}
    for point in points:
        kinds.setdefault(get(point, "line"), []).append(get(point, "kind"))
    code = inspect.cleandoc("\n" + source).splitlines()
    return _draw(code, first_line, kinds, title or _message(kinds))


def _draw(code: list[str], first: int, kinds: dict[int, list[str]], title: str) -> CourseFigure:
    figure = style.new(title, height=max(0.75 + 0.3 * len(code), 2.0))
    ax = style.canvas(figure, 10, len(code))
    for k, line in enumerate(code):
        here = kinds.get(first + k, [])
        if here:
            ax.add_patch(Rectangle((0, k + 0.06), 10, 0.88, fc="#FBE3D3", ec=palette.LEAK, hatch="", lw=1))
            ax.text(
                9.9,
                k + 0.5,
                f"⇄ {_why(here)}",
                ha="right",
                va="center",
                fontsize=style.SMALL,
                fontweight="bold",
            )
        ax.text(
            0.1,
            k + 0.5,
            _fitted(line, SHOWN if here else WHOLE),
            va="center",
            family="monospace",
            fontsize=style.SMALL,
        )
    return figure


def _fitted(line: str, room: int) -> str:
    """Return a line that fits: the comment goes first, then the end."""
    return line if len(line) <= room else clip(line.split("  #")[0].rstrip(), room)


def _why(kinds: list[str]) -> str:
    if "parallel" in kinds:
        return "any time"
    return ", ".join(words for kind, words in KINDS if kind in kinds)


def _message(kinds: dict[int, list[str]]) -> str:
    inside = [line for line, found in kinds.items() if set(found) - {"entry"}]
    if any("parallel" in found for found in kinds.values()):
        return "Without a GIL every line can meet another thread"
    if not inside:
        return "This Python looks for other threads on entry only: no switch inside"
    return f"Once inside, this Python can switch at {count(len(inside), 'line')} only"
