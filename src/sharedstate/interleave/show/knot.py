"""Who holds what and who waits for what when nobody can move, and the circle that they form: in words, as a ring."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sharedstate.interleave.schedule import Schedule, Step
from sharedstate.interleave.show import words
from sharedstate.interleave.show.words import escape
from sharedstate.palette import LEAK, owner

HELD_BY = "held by "
DEAD_ENDS = ("deadlock", "no progress")
BOX = (132, 30)
Node = tuple[str, bool, float, float]
FONT = "font-family='ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace'"


@dataclass(frozen=True)
class Wait:
    """One thread at a dead end: `holder` is the thread that must move first, "" where there is none.

    A thread that waits for another one's end has that thread as `target` and as `holder`.
    """

    thread: str
    target: str
    holder: str
    step: Step
    holds: tuple[Step, ...]


@dataclass(frozen=True)
class Knot:
    """Everybody who waits; `cycle` are those who wait for one another in a circle, in that order."""

    waits: tuple[Wait, ...]
    cycle: tuple[Wait, ...]


def held(trace: Schedule, thread: str) -> tuple[Step, ...]:
    """The steps with which a thread took the locks that it still holds, the first taken first."""
    taken: list[Step] = []
    for step in trace.steps:
        if step.thread != thread:
            continue
        if step.kind == "acquire" and step.value != "False":
            taken.append(step)
        elif step.kind in ("release", "wait"):
            last = next((one for one in reversed(taken) if one.target == step.target), None)
            taken = [one for one in taken if one is not last]
    return tuple(taken)


def knot(trace: Schedule) -> Knot | None:
    """Who waits for whom at the end of a schedule; None where nobody is stuck."""
    if trace.verdict not in DEAD_ENDS:
        return None
    stuck = [step for step in trace.steps if step.kind == "blocked"]
    holds = {step.thread: held(trace, step.thread) for step in stuck}
    waits = [Wait(s.thread, s.target, _holder(trace, s, holds), s, holds[s.thread]) for s in stuck]
    return Knot(tuple(waits), _circle(waits)) if waits else None


def _holder(trace: Schedule, step: Step, holds: dict[str, tuple[Step, ...]]) -> str:
    """Whom a stuck thread waits for: the lock's holder, the thread it joins, one who took the semaphore."""
    value = step.value or ""
    if value.startswith(HELD_BY):
        return value.removeprefix(HELD_BY)
    if step.target in trace.threads:
        return step.target
    return next((name for name, taken in holds.items() if step.target in {s.target for s in taken}), "")


def _circle(waits: list[Wait]) -> tuple[Wait, ...]:
    """Follow "waits for what X holds" from each thread until somebody comes twice."""
    by_name = {wait.thread: wait for wait in waits}
    for start in waits:
        path: list[Wait] = []
        here: Wait | None = start
        while here is not None and here not in path:
            path.append(here)
            here = by_name.get(here.holder)
        if here is not None:
            return tuple(path[path.index(here) :])
    return ()


# -- in words, and drawn ---------------------------------------------------------------------------------



def lines(trace: Schedule) -> list[str]:
    """Who holds what and waits for what, a line per thread, then the circle; none where nobody is stuck."""
    found = knot(trace)
    if found is None:
        return []
    names = words.short_names(trace)
    said = [sentence(wait, names) for wait in found.waits]
    return [*said, f"in a circle: {circle(found, names)}"] if found.cycle else said


def sentence(wait: Wait, names: dict[str, str]) -> str:
    """One thread: "alice holds a (bank.py:6), waits for b (bank.py:7), which bob holds"."""
    mine = [f"{names.get(step.target, step.target)} ({words.place(step)})" for step in wait.holds]
    parts = [f"{wait.thread} holds {', '.join(mine)}," if mine else wait.thread]
    target = names.get(wait.target, wait.target)
    parts.append(target if target.startswith("waits") else f"waits for {target} ({words.place(wait.step)})")
    if wait.target == wait.holder:
        return " ".join([*parts, "to end"])
    holder = "it holds itself" if wait.holder == wait.thread else f"{wait.holder} holds"
    return " ".join(parts) + (f", which {holder}" if wait.holder else "")


def circle(found: Knot, names: dict[str, str]) -> str:
    """The circle in one line: "alice -> b -> bob -> a -> alice"."""
    stations = [name for name, _ in _nodes(found, names)]
    return " -> ".join([*stations, stations[0]])


def _nodes(found: Knot, names: dict[str, str]) -> list[tuple[str, bool]]:
    """Threads (True) and what they wait for; a thread that is waited for comes once."""
    nodes = []
    for wait in found.cycle:
        nodes.append((wait.thread, True))
        nodes += [(names.get(wait.target, wait.target), False)] if wait.target != wait.holder else []
    return nodes


def stations(found: Knot, names: dict[str, str], width: float, height: float) -> list[Node]:
    """The ring's nodes: (name, is it a thread, x, y of the middle), clockwise from the upper left."""
    nodes = _nodes(found, names)
    count = len(nodes)
    placed = []
    for k, (name, thread) in enumerate(nodes):
        angle = math.pi + (math.pi / count if count > 2 else 0) + 2 * math.pi * k / count
        stretch = math.sqrt(2) if count == 4 else 1
        x = width / 2 + stretch * math.cos(angle) * (width - BOX[0]) / 2
        y = height / 2 + stretch * math.sin(angle) * (height - BOX[1]) / 2
        placed.append((name, thread, x, y))
    return placed


def size(found: Knot) -> tuple[int, int]:
    """Width and height of the ring in pixels."""
    count = len(found.cycle)
    return (430, 60) if count == 1 else (430, 140) if count == 2 else (620, 90 + 80 * count)


def ring(trace: Schedule, left: float = 0, top: float = 0) -> str:
    """The circle as an SVG group; an empty text where there is none."""
    found = knot(trace)
    if found is None or not found.cycle:
        return ""
    width, height = size(found)
    nodes = stations(found, words.short_names(trace), width, height)
    arrows = "".join(
        _arrow(nodes[k], nodes[(k + 1) % len(nodes)], 11 if len(nodes) == 2 else 0) for k in range(len(nodes))
    )
    boxes = "".join(_node(trace, *node) for node in nodes)
    return f'<g class="ss-knot" transform="translate({left} {top})">{arrows}{boxes}</g>'


def picture(trace: Schedule) -> str:
    """The ring as an SVG element of its own, on a white ground."""
    found = knot(trace)
    if found is None or not found.cycle:
        return ""
    width, height = size(found)
    label = escape(circle(found, words.short_names(trace)))
    box = f"{width + 16} {height + 16}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 {box}" width="{width + 16}" '
        f'style="max-width:100%;height:auto" role="img"><title>{label}</title>'
        f'<rect x="-8" y="-8" width="{width + 16}" height="{height + 16}" fill="#ffffff"/>{ring(trace)}</svg>'
    )


def _node(trace: Schedule, name: str, thread: bool, x: float, y: float) -> str:
    color = owner(trace.threads.index(name)) if thread else "#ffffff"
    shown = words.clip(name, 15)
    return (
        f'<rect x="{x - BOX[0] / 2:.1f}" y="{y - BOX[1] / 2:.1f}" width="{BOX[0]}" height="{BOX[1]}" '
        f'rx="{4 if thread else 15}" fill="{color}" stroke="#000000" stroke-width="1.5"/>'
        f'<text x="{x:.1f}" y="{y + 5:.1f}" text-anchor="middle" font-size="13" font-weight="bold" {FONT}>'
        f"{escape(shown)}</text>"
    )


def _arrow(start: Node, end: Node, aside: float) -> str:
    """An arrow from the edge of one node to the edge of the next, with its word."""
    (x1, y1), (x2, y2) = edge(start[2:], end[2:]), edge(end[2:], start[2:])
    length = math.hypot(x2 - x1, y2 - y1) or 1
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    x1, y1, x2, y2 = x1 - uy * aside, y1 + ux * aside, x2 - uy * aside, y2 + ux * aside
    hx, hy = x2 - 9 * ux, y2 - 9 * uy
    line = f"M{x1:.1f} {y1:.1f} L{x2:.1f} {y2:.1f}"
    head = f"M{hx - 5 * uy:.1f} {hy + 5 * ux:.1f} L{x2:.1f} {y2:.1f} L{hx + 5 * uy:.1f} {hy - 5 * ux:.1f}"
    said = "waits for" if start[1] else "held by"
    x, y = (x1 + x2) / 2 - 0.4 * uy * aside, (y1 + y2) / 2 + 0.4 * ux * aside
    return (
        f'<path d="{line} {head}" fill="none" stroke="{LEAK}" stroke-width="2"/>'
        f'<rect x="{x - 35:.1f}" y="{y - 8:.1f}" width="70" height="16" fill="#ffffff"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" font-size="12" {FONT}>{said}</text>'
    )


def edge(center: tuple[float, ...], toward: tuple[float, ...]) -> tuple[float, float]:
    """Where the line from the middle of a node to another point leaves the node's box."""
    dx, dy = toward[0] - center[0], toward[1] - center[1]
    scale = min(BOX[0] / 2 / abs(dx) if dx else math.inf, BOX[1] / 2 / abs(dy) if dy else math.inf)
    return center[0] + dx * scale, center[1] + dy * scale
