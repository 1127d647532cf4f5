"""One interleaving as a figure: a lane per thread, time downwards, the pair to blame hatched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure
from sharedstate.interleave.show.words import access, answers, clip, letters, short_names
from sharedstate.interleave.trace import Step, Trace
from sharedstate.wording import count

ROW, TURN = 0.27, 0.75
TEXT = 30
PAIR = re.compile(r"\('(\w+)', '(\w+)'\)")
QUEUED = MappingProxyType({"put": "to", "get": "from"})
VERBS = (
    ("write", "read", "reads what", "wrote"),
    ("write", "write", "overwrites what", "wrote"),
    ("read", "write", "changes what", "has read"),
)


def interleaving(trace: Trace, title: str | None = None) -> CourseFigure:
    """Draw a trace: a lane per thread, a box per step, "switch" where control moves, "!" at blame."""
    tops = _tops(trace)
    lanes, rows = max(len(trace.threads), 2), tops[-1] + 1
    wide = style.WIDTH + 2.4 * (lanes - 2)
    figure = style.new(title or message(trace), width=wide, height=max(0.5 + ROW * rows, 2.2))
    ax = style.canvas(figure, lanes, rows)
    _lanes(ax, trace, tops[-1])
    names, told = short_names(trace), _overtaken(trace.steps) if trace.violated else []
    for k, step in enumerate(trace.steps):
        if step.switch and k:
            _switch(ax, trace, k, tops[k])
        _box(ax, trace.threads.index(step.thread), tops[k], step, clip(_said(step, names), TEXT))
        if any(step is one for one in told) and not any(one.blame for one in trace.steps):
            _frame(ax, trace.threads.index(step.thread), tops[k])
    figure.steps = trace.show("svg").svg
    return figure


def _tops(trace: Trace) -> list[float]:
    """Return the top of each step's box, and of the answers; a switch takes room above its step."""
    tops, y = [], 1.0
    for k, step in enumerate(trace.steps):
        y += TURN if step.switch and k else 0
        tops.append(y)
        y += 1
    return [*tops, y]


def _lanes(ax: Axes, trace: Trace, bottom: float) -> None:
    tags = letters(trace.threads)
    mute = all(said == "None" for _, said in answers(trace))      # nobody is asked for an answer
    for k, (name, said) in enumerate(answers(trace)):
        color = palette.owner(k)
        ax.plot([k + 0.5] * 2, [0.5, bottom], color=color, lw=2, zorder=0)
        plate: dict[str, Any] = {"boxstyle": "round,pad=0.25", "fc": color, "ec": "none"}
        look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": style.LABEL}
        ax.text(k + 0.5, 0.42, f"{tags[name]}  {clip(name, 24)}", fontweight="bold", bbox=plate, **look)
        if not mute:
            ax.text(k + 0.5, bottom + 0.55, clip(f"answer: {said}", TEXT), **look)


def _said(step: Step, names: dict[str, str]) -> str:
    """Say what a step does; a pair of names that goes through a queue is said shorter, if it would be cut."""
    said = access(step, names)
    pair = PAIR.fullmatch(step.value or "")
    if len(said) <= TEXT or not pair or step.kind not in QUEUED:
        return said
    return f"{QUEUED[step.kind]} {names[step.target]}: {pair[1]}, {pair[2]}"


def _switch(ax: Axes, trace: Trace, k: int, top: float) -> None:
    start, end = (trace.threads.index(trace.steps[i].thread) + 0.5 for i in (k - 1, k))
    turn = top - TURN / 2 + 0.05
    ax.plot([start, start, end], [top - TURN - 0.1, turn, turn], color=palette.INK, lw=1.6)
    ax.annotate(
        "", (end, top + 0.12), (end, turn - 0.1), arrowprops={"arrowstyle": "->", "lw": 1.6, "shrinkA": 0}
    )
    plate: dict[str, Any] = {"fc": "white", "ec": "none", "pad": 1}
    ax.text((start + end) / 2, turn, "switch", ha="center", va="center", fontsize=style.SMALL, bbox=plate)


def _box(ax: Axes, lane: int, top: float, step: Step, said: str) -> None:
    look: dict[str, Any] = {"fc": "white", "ec": palette.owner(lane), "lw": 1.2}
    if step.blame:
        look = {"fc": "#FBE3D3", "ec": palette.LEAK, "lw": 2}
        said += "  !"
    round_box = "round,pad=0,rounding_size=0.04"
    ax.add_patch(FancyBboxPatch((lane + 0.05, top + 0.09), 0.9, 0.82, boxstyle=round_box, **look))
    if step.blame:
        hatched: dict[str, Any] = {"boxstyle": "square,pad=0", "hatch": "////", "fc": "white", "lw": 0}
        ax.add_patch(FancyBboxPatch((lane + 0.005, top + 0.12), 0.04, 0.76, ec=palette.LEAK, **hatched))
    weight = "bold" if step.blame else "normal"
    ax.text(lane + 0.5, top + 0.5, said, ha="center", va="center", fontsize=style.SMALL, fontweight=weight)


def _frame(ax: Axes, lane: int, top: float) -> None:
    """Frame a step that the title speaks of, where no pair was proved to be to blame."""
    look: dict[str, Any] = {"boxstyle": "round,pad=0,rounding_size=0.04", "fc": "none", "ec": palette.INK, "lw": 2.2}
    ax.add_patch(FancyBboxPatch((lane + 0.05, top + 0.09), 0.9, 0.82, **look))


def message(trace: Trace) -> str:
    """Say in one line what this schedule does: who reads what whom wrote, and in how many switches."""
    cost = count(trace.switches, "switch") + (" is enough" if trace.switches == 1 else " are enough")
    if trace.verdict == "deadlock":
        return f"After {count(len(trace.steps), 'step')} nobody can move"
    if not trace.finished:
        return f"{count(len(trace.steps), 'step')} so far, {count(trace.switches, 'switch')}"
    if not trace.violated:
        return f"This schedule does no harm ({count(trace.switches, 'switch')})"
    pair = [step for step in trace.steps if step.blame] or _overtaken(trace.steps)
    return f"{_blame(*pair)}: {cost}" if len(pair) == 2 else f"It breaks: {cost}"


def _overtaken(steps: Sequence[Step]) -> list[Step]:
    """Return the first write, and the access that meets it of a thread that was there before; or nothing."""
    writes: dict[str, Step] = {}
    seen: dict[tuple[str, str], Step | None] = {}
    for step in steps:
        key, last = (step.thread, step.target), writes.get(step.target)
        if last and last.thread != step.thread and key in seen and seen[key] is not last:
            return [last, step]
        if step.kind == "write":
            writes[step.target] = last = step
        seen[key] = last
    return []


def _blame(first: Step, second: Step) -> str:
    who, whom = second.thread.capitalize(), first.thread.capitalize()
    for kinds in VERBS:
        if kinds[:2] == (first.kind, second.kind):
            return f"{who} {kinds[2]} {whom} {kinds[3]}"
    return f"{who} and {whom} collide"
