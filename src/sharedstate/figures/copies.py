"""Two programs of a host and its streams side by side, in the same slow engine's order: the broken one and the fix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure, get

ROW, LANE = 0.42, 1.65  # inches
GAP = 0.3


def schedules(programs: Mapping[str, Sequence[object]], title: str) -> CourseFigure:
    """Draw each program's acts in a column of its own: a lane a thread, time downwards.

    programs: {name: acts}, each act with thread, text and lands (None, or whether the data belongs where it lands):
    False is vermilion with "wrong", True blue with "right".
    """
    lanes = list(dict.fromkeys(get(act, "thread") for acts in programs.values() for act in acts))
    rows = max(len(acts) for acts in programs.values())
    wide = len(lanes) * len(programs) + GAP * (len(programs) - 1)
    figure = style.new(title, width=LANE * wide, height=0.6 + ROW * (rows + 1.6))
    ax = style.canvas(figure, wide, rows + 1.7)
    for k, (name, acts) in enumerate(programs.items()):
        _program(ax, k * (len(lanes) + GAP), name, lanes, acts)
    return figure


def _program(ax: Axes, left: float, name: str, lanes: Sequence[str], acts: Sequence[object]) -> None:
    """Draw one program's lanes and boxes from x = left on."""
    middle: dict[str, Any] = {"ha": "center", "va": "center"}
    ends = [get(act, "lands") for act in acts]
    verdict = "wrong" if False in ends else "right"
    ax.text(left + len(lanes) / 2, 0.35, f"{name}: {verdict}", fontsize=style.LABEL, fontweight="bold", **middle)
    for k, thread in enumerate(lanes):
        ax.plot([left + k + 0.5] * 2, [1.2, len(acts) + 1.6], color=palette.owner(k), lw=2, zorder=0)
        plate = {"boxstyle": "round,pad=0.2", "fc": palette.owner(k), "ec": "none"}
        ax.text(left + k + 0.5, 1.15, thread, fontsize=style.SMALL, bbox=plate, **middle)
    for row, act in enumerate(acts):
        lane, lands = lanes.index(get(act, "thread")), get(act, "lands")
        fill = {None: "white", True: palette.ISOLATED, False: palette.LEAK}[lands]
        box = (left + lane + 0.03, row + 1.67)
        ax.add_patch(FancyBboxPatch(box, 0.94, 0.88, boxstyle="round,pad=0,rounding_size=0.05", fc=fill,
                                    ec=palette.owner(lane) if lands is None else fill, lw=1.2))  # fmt: skip
        said = get(act, "text").replace(": ", ":\n") + ("" if lands is not False else "  !")
        ink = palette.INK if lands is None else "white"
        ax.text(left + lane + 0.5, row + 2.11, said, fontsize=style.SMALL, linespacing=0.95, color=ink, **middle)
