"""A trace as one SVG picture: a lane per thread, a box per step, a line where control moves."""

from __future__ import annotations

import hashlib

from sharedstate.interleave.schedule import Schedule
from sharedstate.interleave.show import knot as render_knot
from sharedstate.interleave.show import words
from sharedstate.interleave.show.words import escape
from sharedstate.palette import LEAK, owner

GUTTER, LANE, ROW, TOP, TURN = 64, 270, 46, 78, 22
CHARS, SMALL_CHARS = 31, 36
FONT = "font-family='ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace'"


def svg(trace: Schedule) -> str:
    """Draw the trace as an SVG element with its own white ground, so that it reads on any page.

    Each step is a <g> with data-step, data-thread, data-kind, data-switch, data-blame; every text is escaped.
    """
    whole, trace = trace, words.shortened(trace)
    width = GUTTER + LANE * max(len(trace.threads), 2) + 10
    notes = _notes(whole, int(width / 8))
    bottom = _tops(trace)[-1]
    knot, end = render_knot.knot(whole), bottom + 22 * len(notes) + 16
    height = end + (render_knot.size(knot)[1] + 12 if knot and knot.cycle else 0)
    title = escape(words.headline(whole))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ss-trace-svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" style="max-width:100%;height:auto" role="img" '
        f'data-verdict="{escape(trace.verdict)}" data-switches="{trace.switches}" '
        f'data-confirmed="{str(trace.confirmed).lower()}">'
        f"<title>{title}</title>{_hatch(trace)}"
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
        f"{_text(12, 24, words.clip(words.headline(whole), int(width / 7.9)), 13, bold=True)}"
        f"{_lanes(trace)}{_steps(trace)}{_lines(notes, bottom + 22)}"
        f"{render_knot.ring(whole, 12, end)}</svg>"
    )


def _tops(trace: Schedule) -> list[int]:
    """Return the y of each step's row and, last, of the end: a switch has room above it."""
    tops, y = [], TOP
    for k, step in enumerate(trace.steps):
        y += TURN if step.switch and k else 0
        tops.append(y)
        y += ROW
    return [*tops, y]


def _key(trace: Schedule) -> str:
    """Return a name for this picture's hatch that no other picture on the page has by accident."""
    seed = f"{trace.token}{trace.schedule}{trace.verdict}"
    return "ss" + hashlib.sha256(seed.encode(errors="backslashreplace")).hexdigest()[:10]


def _hatch(trace: Schedule) -> str:
    return (
        f'<defs><pattern id="{_key(trace)}" width="8" height="8" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><rect width="8" height="8" fill="#ffffff"/>'
        f'<rect width="3" height="8" fill="{LEAK}" fill-opacity=".35"/></pattern></defs>'
    )


def _text(x: float, y: float, shown: str, size: float, bold: bool = False, color: str = "#000000") -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{color}"{weight} {FONT}>{escape(shown)}</text>'


def _lane_x(trace: Schedule, thread: str) -> int:
    return GUTTER + LANE * trace.threads.index(thread)


def _lanes(trace: Schedule) -> str:
    letters = words.letters(trace.threads)
    bottom = _tops(trace)[-1]
    parts = []
    for k, name in enumerate(trace.threads):
        x, color = _lane_x(trace, name), owner(k)
        parts.append(f'<rect x="{x}" y="42" width="24" height="24" rx="4" fill="{color}"/>')
        parts.append(_text(x + 7, 59, letters[name], 15, bold=True))
        parts.append(_text(x + 32, 59, words.clip(name, 26), 14, bold=True))
        parts.append(f'<path d="M{x + 6} 68 V{bottom}" stroke="{color}" stroke-width="3"/>')
    return "".join(parts)


def _steps(trace: Schedule) -> str:
    names, tops = words.short_names(trace), _tops(trace)
    return "".join(_step(trace, k, tops[k], words.access(step, names)) for k, step in enumerate(trace.steps))


def _step(trace: Schedule, k: int, y: int, said: str) -> str:
    step = trace.steps[k]
    x = _lane_x(trace, step.thread)
    color = owner(trace.threads.index(step.thread))
    fill, edge, wide = (f"url(#{_key(trace)})", LEAK, 3) if step.blame else ("#ffffff", color, 1.5)
    marks = words.switch_mark(step) + ("x" if words.impossible(step) else "")
    return (
        f'<g data-step="{words.number(trace, k)}" data-thread="{escape(step.thread)}" '
        f'data-kind="{escape(step.kind)}" data-switch="{int(step.switch)}" data-blame="{int(step.blame)}">'
        f"<title>{escape(f'{step.thread} {said}, {step.where}')}</title>"
        f"{_switch(trace, k, y) if step.switch and k else ''}"
        f"{_text(6, y + 24, f'{words.number(trace, k):>2}', 13)}{_text(26, y + 24, marks, 13, bold=True)}"
        f'<rect x="{x}" y="{y + 3}" width="{LANE - 12}" height="{ROW - 6}" rx="5" '
        f'fill="{fill}" stroke="{edge}" stroke-width="{wide}"/>'
        f"{_text(x + 8, y + 20, words.clip(said, CHARS), 13, bold=True)}"
        f"{_text(x + 8, y + 35, words.clip(words.one_line(step.source), SMALL_CHARS), 11, color='#333333')}"
        f"{_text(x + LANE - 28, y + 20, '!' if step.blame else '', 16, bold=True)}</g>"
    )


def _switch(trace: Schedule, k: int, y: int) -> str:
    start = _lane_x(trace, trace.steps[k - 1].thread) + LANE // 2
    end = _lane_x(trace, trace.steps[k].thread) + LANE // 2
    turn = y - TURN // 2
    return (
        f'<path d="M{start} {y - TURN - 3} V{turn} H{end} V{y + 2} m-5 -7 l5 7 l5 -7" fill="none" '
        'stroke="#000000" stroke-width="2"/>'
        f'<rect x="{(start + end) // 2 - 30}" y="{turn - 9}" width="60" height="18" fill="#ffffff"/>'
        f"{_text((start + end) // 2 - 24, turn + 4, 'switch', 13, bold=True)}"
    )


def _notes(trace: Schedule, limit: int) -> list[str]:
    said = "   ".join(f"{name}: {value}" for name, value in words.answers(trace))
    notes = [f"answers  {said}"]
    if trace.observed is not None:
        notes.append(f"observed {words.safe_repr(trace.observed, limit)}")
    notes += render_knot.lines(trace)
    notes += [f"{mark:<2} {meaning}" for mark, meaning in words.legend(trace)]
    notes += [trace.here] if trace.here else []
    notes += [words.one_line(note) for note in trace.notes]
    return [words.clip(note, limit) for note in notes]


def _lines(notes: list[str], y: int) -> str:
    return "".join(_text(12, y + 22 * k, note, 12.5) for k, note in enumerate(notes))
