"""The board as HTML, for a page of its own and for a notebook, and as text. No request goes to another address."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from html import escape
from types import MappingProxyType

from sharedstate.classroom.board import STATES, Board, Histogram, Learner, Wrong
from sharedstate.palette import FAINT, GRID, INK, ISOLATED, RIGHT
from sharedstate.progress import PAUSE
from sharedstate.wording import count

FREQUENT = 12  # wrong answers that are listed
LONGEST = 60  # letters of a name or a choice that comes from a file
MARKS: Mapping[str, str] = MappingProxyType({"stuck": "!", "quiet": "z", "finished": RIGHT})
STYLE = f"""
.ss-class {{ color: {INK}; background: #fff; font: 15px/1.4 system-ui, sans-serif; max-width: 760px; }}
.ss-class table {{ border-collapse: collapse; width: 100%; margin: 0; }}
.ss-class th, .ss-class td {{ text-align: left; vertical-align: top; padding: 3px 6px; overflow-wrap: anywhere; }}
.ss-class tr {{ background: none; border-bottom: 1px solid {GRID}; }}
.ss-class th:first-child, .ss-class td:first-child {{ min-width: 5.5em; }}
.ss-class th.n, .ss-class td.n {{ text-align: right; white-space: nowrap; }}
.ss-class tr[data-state=stuck] {{ font-weight: bold; box-shadow: inset 4px 0 {INK}; }}
.ss-class tr[data-state=trouble] {{ font-style: italic; }}
.ss-class h2, .ss-class h3 {{ font-size: 1.1em; margin: 1.2em 0 .3em; }}
.ss-class ul {{ list-style: none; margin: 0; padding: 0; }}
.ss-class li {{ margin: .3em 0; overflow-wrap: anywhere; }}
.ss-class svg {{ display: block; width: 100%; height: 14px; }}
.ss-class p {{ margin: .3em 0; }}
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(board: Board, names: bool = False, every: float = 0.0) -> str:
    """Return the board as one HTML file. every: seconds after which a browser reads it again."""
    again = f'<meta http-equiv="refresh" content="{every:g}">' if every else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">{again}'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>The class</title>'
        f"<style>body {{ margin: 12px auto; padding: 0 8px; max-width: 760px; }}</style></head>"
        f"<body><main><h1>The class</h1>{fragment(board, names)}</main></body></html>\n"
    )


def fragment(board: Board, names: bool = False) -> str:
    """Return the board as a piece of HTML with its style."""
    words = (f"As of {clock(board.now)}. Stuck: an answer was wrong, and time went by; pauses do not count. "
             f"Quiet: no check and no prediction for {minutes(PAUSE)}.")
    head = f'<style>{STYLE}</style><p><b class="ss-sum">{escape(summary(board))}</b><br>{words}</p>'
    parts = [head, _learners(board, names), _where(board), _wrong(board.wrong), *map(_histogram, board.histograms)]
    return f'<div class="ss-class">{"".join(parts)}</div>'


def summary(board: Board) -> str:
    """Return the board in one line: "30 files: 3 stuck, 20 at work, 2 cannot be read"."""
    states = [f"{board.count(state)} {said}" for state, said in STATES.items() if board.count(state)]
    if board.troubles:
        states.append(f"{len(board.troubles)} cannot be read")
    files = len(board.learners) + len(board.troubles)
    return f"{count(files, 'file')}: {', '.join(states)}"


def text(board: Board, names: bool = False) -> str:
    """Return the board's first table as text."""
    lines = [summary(board), "", f"{'learner':22}{'at':24}{'for':>8}{'wrong':>7}{'solved':>8}"]
    for number, one in enumerate(board.learners, 1):
        lines.append(f"{_name(one.name, number, names):22}{_at(board, one):24}{_for(one):>8}{one.wrong or '':>7}"
                     f"{_solved(one):>8}")
    for record in board.troubles:
        lines.append(f"{_cut(record.name) if names else 'a file':22}{record.trouble}")
    return "\n".join(lines)


def clock(moment: float) -> str:
    """Return a moment as "2026-11-30 14:05", in the local time."""
    return f"{datetime.fromtimestamp(moment):%Y-%m-%d %H:%M}"


def minutes(seconds: float) -> str:
    """Return a duration as people say it: "<1 min", "12 min", "3 h"."""
    if seconds < 60:
        return "<1 min"
    return f"{int(seconds // 60)} min" if seconds < 7200 else f"{int(seconds // 3600)} h"


# --- who is where


def _learners(board: Board, names: bool) -> str:
    head = "".join(f'<th scope="col"{kind}>{word}</th>' for word, kind in (
        ("Learner", ""), ("At", ""), ("For", ' class="n"'), ("Wrong", ' class="n"'), ("Solved", ' class="n"')))
    rows = [_row(board, one, _name(one.name, number, names)) for number, one in enumerate(board.learners, 1)]
    rows += [f'<tr data-state="trouble"><td>{escape(_cut(record.name) if names else "a file")}</td>'
             f'<td colspan="4">{escape(record.trouble)}</td></tr>' for record in board.troubles]
    body = f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return f'<h2>Who is where</h2><table class="ss-learners">{body}</table>'


def _row(board: Board, one: Learner, name: str) -> str:
    cells = (("", name), ("", _at(board, one)), (' class="n"', _for(one)), (' class="n"', str(one.wrong or "")),
             (' class="n"', _solved(one)))
    inside = "".join(f"<td{kind}>{escape(word)}</td>" for kind, word in cells)
    return f'<tr data-state="{one.state}" data-at="{escape(one.at)}">{inside}</tr>'


def _name(name: str, number: int, names: bool) -> str:
    return _cut(name) if names else f"learner {number}"


def _at(board: Board, one: Learner) -> str:
    """Return "! 01.2 steps", the mark of the state first: never by colour or weight alone."""
    where = f"{one.at} {board.exercises.get(one.at, '')}".strip() if one.at else STATES[one.state]
    if not one.at and one.unit:
        where = f"{_cut(one.unit)}: {where}"
    silent = f", quiet {minutes(one.quiet)}" if one.state == "quiet" and one.at else ""
    return f"{MARKS.get(one.state, '')} {where}{silent}".strip()


def _for(one: Learner) -> str:
    return minutes(one.seconds) if one.at else ""


def _solved(one: Learner) -> str:
    return f"{one.solved}/{one.exercises}" if one.exercises else ""


# --- charts


def _where(board: Board) -> str:
    most = max(map(board.at, board.exercises), default=0)
    bars = [_bar(f"{key} {name}", board.at(key), most) for key, name in board.exercises.items()]
    return _chart("Where the class is", "ss-where", bars)


def _wrong(wrong: Iterable[Wrong]) -> str:
    shown = list(wrong)[:FREQUENT]
    most = max((one.learners for one in shown), default=0)
    bars = [_bar(f"{one.exercise}: {_cut(one.reason)}", one.learners, most, more=f", {count(one.answers, 'time')}")
            for one in shown]
    return _chart("Wrong answers, by how many learners", "ss-wrong", bars)


def _histogram(one: Histogram) -> str:
    question, most = one.question, max(one.counts.values(), default=0)
    bars = [_bar(f"{_cut(key)}: {question.choices.get(key, '?')}", number, most, key == question.right)
            for key, number in one.counts.items()]
    measured = f"<p><b>Measured:</b> {escape(question.measured)}</p>" if question.measured else ""
    title = f"{question.id}: {question.text}"
    return _chart(title, "ss-prediction", bars, "h3", f' data-question="{escape(question.id)}"', measured)


def _bar(label: str, number: int, most: int, right: bool = False, more: str = "") -> str:
    """Return one bar with its words above it: a reader of the words alone misses nothing."""
    mark = f" <b>{RIGHT} right</b>" if right else ""
    width, color = 100 * number / (most or 1), ISOLATED if right else FAINT
    words = f"{escape(label)}{mark}: {count(number, 'learner')}{more}"
    return (
        f'<li data-number="{number}" data-right="{str(right).lower()}">{words}'
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="100" height="10" fill="none"/><rect width="{width:g}" height="10" fill="{color}"/></svg></li>'
    )


def _chart(title: str, name: str, bars: list[str], head: str = "h2", facts: str = "", below: str = "") -> str:
    if not bars:
        return ""
    return f'<section class="{name}"{facts}><{head}>{escape(title)}</{head}><ul>{"".join(bars)}</ul>{below}</section>'


def _cut(word: str) -> str:
    """Return a word from a file, cut where it is too long for a line."""
    return word if len(word) <= LONGEST else word[:LONGEST] + "…"
