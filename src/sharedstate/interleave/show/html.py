"""A trace as an HTML fragment: a table with inline styles, readable on light and dark pages and at 380 px."""

from __future__ import annotations

from types import MappingProxyType

from sharedstate.interleave.schedule import Schedule, Step
from sharedstate.interleave.show import knot as render_knot
from sharedstate.interleave.show import words
from sharedstate.interleave.show.words import escape
from sharedstate.palette import LEAK, LOST, OWNERS, owner

VERDICTS = MappingProxyType({"broken": LEAK, "ok": OWNERS[2]})
OTHER_VERDICT = LOST
LINE = "1px solid rgba(128,128,128,.45)"
HATCH = "repeating-linear-gradient(45deg,rgba(213,94,0,.30) 0 4px,transparent 4px 9px)"
CELL = "text-align:left;vertical-align:top;padding:3px 6px;border:0;white-space:normal;overflow-wrap:anywhere"
FRAME = "max-width:760px;overflow-x:auto;font-size:14px;line-height:1.35"
CHIP = "display:inline-block;color:#000;border-radius:4px;padding:0 6px;font-weight:bold"
SMALL = "font-size:85%;opacity:.85"
LABELS = MappingProxyType({">>": "switch", ">": "switch", "x": "not today", "!": "blame"})
MONO = "font-family:ui-monospace,Menlo,Consolas,monospace"


def html(trace: Schedule) -> str:
    """Draw the trace as an HTML fragment: headline, a table with one column per thread, answers, legend.

    Every row carries data-step, data-thread, data-kind, data-switch and data-blame; every text is escaped.
    """
    return (
        f'<div class="ss-trace" data-verdict="{escape(trace.verdict)}" data-switches="{trace.switches}" '
        f'data-confirmed="{str(trace.confirmed).lower()}" style="{FRAME}">'
        f"{_headline(trace)}{_table(trace)}{_footer(trace)}</div>"
    )


def _headline(trace: Schedule) -> str:
    color = VERDICTS.get(trace.verdict, OTHER_VERDICT)
    rest = words.headline(trace).removeprefix(f"{trace.verdict}: ")
    return f'<div style="margin:4px 0">{_chip(trace.verdict, color)} {escape(rest)}</div>'


def _chip(label: str, color: str) -> str:
    return f'<span style="{CHIP};background:{color}">{escape(label)}</span>'


def _table(trace: Schedule) -> str:
    trace = words.shortened(trace)
    letters = words.letters(trace.threads)
    colors = {name: owner(k) for k, name in enumerate(trace.threads)}
    heads = "".join(
        f'<th scope="col" style="{CELL};border-bottom:3px solid {colors[name]}">'
        f"{_chip(letters[name], colors[name])} {escape(name)}</th>"
        for name in trace.threads
    )
    names = words.short_names(trace)
    rows = "".join(
        _row(words.number(trace, k), step, trace, names, colors) for k, step in enumerate(trace.steps)
    )
    return (
        '<table style="border-collapse:collapse;width:100%;table-layout:fixed;margin:0;color:inherit">'
        '<colgroup><col style="width:6.3em">' + "<col>" * len(trace.threads) + "</colgroup>"
        f'<thead><tr style="background:none"><th scope="col" style="{CELL}">step</th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _row(number: int, step: Step, trace: Schedule, names: dict[str, str], colors: dict[str, str]) -> str:
    data = (
        f'data-step="{number}" data-thread="{escape(step.thread)}" data-kind="{escape(step.kind)}" '
        f'data-switch="{int(step.switch)}" data-blame="{int(step.blame)}"'
    )
    top = f"border-top:2px dashed {colors.get(step.thread, '#888')}" if step.switch else f"border-top:{LINE}"
    cells = "".join(
        _access(step, names, colors[name])
        if name == step.thread
        else f'<td style="{CELL};border-left:1px dotted {colors[name]}"></td>'
        for name in trace.threads
    )
    return (
        f'<tr {data} style="background:none;{top}"><th scope="row" style="{CELL};font-weight:normal">'
        f"{number} {_marks(step)}</th>{cells}</tr>"
    )


def _marks(step: Step) -> str:
    shown = [words.switch_mark(step), "x" if words.impossible(step) else "", "!" if step.blame else ""]
    meanings = dict(words.MARKS)
    return "".join(
        f'<br><b title="{escape(meanings[mark])}" style="white-space:nowrap;font-size:85%">'
        f"{escape(mark)} {LABELS[mark]}</b>"
        for mark in shown
        if mark
    )


def _access(step: Step, names: dict[str, str], color: str) -> str:
    blamed = f";background:{HATCH};outline:2px solid {LEAK};outline-offset:-2px" if step.blame else ""
    where = f' <span style="{SMALL}">({escape(step.where)})</span>' if step.where else ""
    return (
        f'<td style="{CELL};border-left:4px solid {color}{blamed}">'
        f'<b style="{MONO}">{escape(words.access(step, names))}</b>'
        f'<br><span style="{SMALL};{MONO}">{escape(step.source)}</span>{where}</td>'
    )


def _footer(trace: Schedule) -> str:
    said = ", ".join(f"{escape(name)}: <code>{escape(value)}</code>" for name, value in words.answers(trace))
    lines = [f"<b>Answers</b> {said}"]
    if trace.observed is not None:
        lines.append(f"<b>Observed</b> <code>{escape(words.safe_repr(trace.observed, 120))}</code>")
    lines += [f"<b>Stuck</b> {escape(line)}" for line in render_knot.lines(trace)]
    lines += [render_knot.picture(trace)] if trace.verdict == "deadlock" else []
    lines += [f"<b>{escape(mark)}</b> {escape(meaning)}" for mark, meaning in words.legend(trace)]
    lines += [f"<b>Here</b> {escape(trace.here)}"] if trace.here else []
    lines += [f"<b>Note</b> {escape(note)}" for note in trace.notes]
    if trace.token:
        lines.append(f'<b>Token</b> <code style="overflow-wrap:anywhere">{escape(trace.token)}</code>')
    return "".join(f'<div style="margin:3px 0;overflow-wrap:anywhere">{line}</div>' for line in lines)
