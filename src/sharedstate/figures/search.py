"""Figures of a search: how few schedules must be tried, and which outcomes there are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import zip_longest
from math import log10
from types import MappingProxyType
from typing import Any

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure, get
from sharedstate.interleave.show.words import clip, one_line
from sharedstate.wording import count

STAGES = (
    ("bytecode", "of bytecodes"),
    ("shared", "of shared accesses"),
    ("conflicting", "of conflicting accesses"),
    ("classes", "classes that differ"),
    ("executions", "executed"),
)
LONGEST, MOST_ROWS = 37, 10
Row = tuple[str, int | None, bool]
SUPERSCRIPTS = MappingProxyType(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def funnel(funnel: object, title: str | None = None) -> CourseFigure:
    """Draw how the number of schedules shrinks, from bytecodes to executions.

    funnel: bytecode, shared, conflicting, classes, executions attributes or keys; None: unknown, left out.
    """
    found = [(key, label, get(funnel, key)) for key, label in STAGES]
    known = [(key, label, number) for key, label, number in found if number is not None]
    if not known:
        raise ValueError("This funnel has no numbers yet: explore first.")
    figure = style.new(title or _funnel_message({key: number for key, _, number in known}))
    ax = style.canvas(figure, 10, len(known))
    widest = max(_width(number) for _, _, number in known)
    for k, (key, label, number) in enumerate(known):
        wide = 4.4 * _width(number) / widest
        color, hatch = (palette.ISOLATED, None) if key in ("classes", "executions") else (palette.ALLOWED, "..")
        ax.barh(k + 0.5, wide, 0.7, left=4.9 - wide / 2 - 2.4, color=color, hatch=hatch, edgecolor="white")
        ax.text(4.95, k + 0.5, f"{big(number)}  {label}", va="center", fontsize=style.LABEL, color=palette.INK)
    ax.text(
        2.5, len(known), "widths not to scale", ha="center", va="top", fontsize=style.SMALL, color=palette.FAINT
    )
    return figure


def _width(number: int) -> float:
    """Return a width that leaves 10 something to see beside 10 to the power of 1,800."""
    return log10(log10(max(number, 1)) + 2)


def big(number: int) -> str:
    """Return a number as people read it: 252, 34,650, or about 10⁵⁸."""
    if number < 10**9:
        return f"{number:,}"
    return "about 10" + str(int(log10(number))).translate(SUPERSCRIPTS)


def _funnel_message(known: Mapping[str, int]) -> str:
    wide = known.get("shared") or known.get("conflicting") or known.get("bytecode")
    if wide and known.get("classes"):
        return f"{big(wide)} interleavings, only {known['classes']:,} that differ"
    if wide and known.get("executions"):
        return f"{known['executions']:,} executions cover {big(wide)} interleavings"
    return "How many schedules there are, and how many were tried"


def outcomes(
    result: object, bad: Collection[str] | Callable[[dict], object] = (), title: str | None = None
) -> CourseFigure:
    """Draw each outcome that the search found, and how often; a bad one is hatched and marked with a cross.

    result: a Result with `.outcomes` (and `.counts`), or {label: number of interleavings}. bad: the labels
    (`outcome_label`) that must not be, or a question to the answers, as in lambda a: a["mallory"] is True.
    Past the ten most frequent, the rest is one row.
    """
    rows = _outcome_rows(result, bad)
    every = isinstance(result, Mapping) or getattr(result, "strategy", "all") == "all"
    figure = style.new(title or _outcomes_message(rows, every), height=max(1.4 + 0.42 * len(rows), 2.2))
    ax = style.canvas(figure, 10, max(len(rows), 1))
    most = max((n or 1 for _, n, _ in rows), default=1)
    for k, (label, n, hurt) in enumerate(rows):
        color, hatch = (palette.LEAK, style.LEAK_HATCH) if hurt else (palette.ISOLATED, None)
        wide = 3.0 * (n or 1) / most
        ax.barh(k + 0.5, wide, 0.62, left=6.0, color=color, hatch=hatch, edgecolor="white")
        marked = f"{palette.WRONG} {label}" if hurt else label
        ax.text(5.85, k + 0.5, marked, ha="right", va="center", fontsize=style.LABEL)
        ax.text(6.1 + wide, k + 0.5, f"{n:,}" if n else "", va="center", fontsize=style.LABEL)
    return figure


def _outcome_rows(result: object, bad: Collection[str] | Callable[[dict], object]) -> list[Row]:
    """Return (label, how often or None, is it bad), sorted by label."""
    names = tuple(sorted(getattr(result, "threads", ())))
    table = result if isinstance(result, Mapping) else getattr(result, "counts", None)
    table = dict(table) if table else dict.fromkeys(get(result, "outcomes"), None)
    rows = []
    for outcome, n in table.items():
        label = outcome_label(outcome, names)
        rows.append(
            (clip(label, LONGEST), n, _is_bad(outcome, names, bad) if callable(bad) else label in bad)
        )
    if len(rows) > MOST_ROWS:
        rows.sort(key=lambda row: -(row[1] or 0))
        rest = rows[MOST_ROWS - 1 :]
        hurt = any(row[2] for row in rest)
        rows = [*rows[: MOST_ROWS - 1], (f"{len(rest)} more", sum(n or 0 for _, n, _ in rest) or None, hurt)]
    return sorted(rows, key=lambda row: row[0])


def _is_bad(outcome: Any, names: tuple[str, ...], question: Callable[[dict], object]) -> bool:
    """Ask the question of the answers; a dead end has none and is bad."""
    answers = outcome[0]
    return True if isinstance(answers, str) else bool(question(dict(zip(names, answers, strict=True))))


def outcome_label(outcome: Any, names: tuple[str, ...] = ()) -> str:
    """Return an outcome in words: a label stays, (answers, observed) gives "alice True, mallory False"."""
    if isinstance(outcome, str):
        return outcome
    answers, observed = outcome[0], outcome[1] if len(outcome) > 1 else None
    if isinstance(answers, str):
        return answers
    pairs = zip_longest(names, answers, fillvalue="")
    said = ", ".join(f"{name} {one_line(str(value))}".strip() for name, value in pairs)
    return said if observed is None else f"{said} ({one_line(str(observed))})"


def _outcomes_message(rows: list[Row], every: bool) -> str:
    hurt = [n for _, n, bad in rows if bad]
    total = sum(n or 0 for _, n, _ in rows)
    if hurt and total:
        kind = "interleavings" if every else "executions"
        return f"{sum(n or 0 for n in hurt):,} of {total:,} {kind} end badly"
    return f"{count(len(rows), 'outcome')} can happen" + (f", {len(hurt)} of them bad" if hurt else "")
