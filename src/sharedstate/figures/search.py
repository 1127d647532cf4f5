"""Figures of a search: how few schedules must be tried, and which outcomes there are."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import log10
from types import MappingProxyType

from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure, get

STAGES = (
    ("bytecode", "of bytecodes"),
    ("shared", "of shared accesses"),
    ("conflicting", "of conflicting accesses"),
    ("classes", "classes that differ"),
    ("executions", "executed"),
)
SUPERSCRIPTS = MappingProxyType(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def funnel(funnel: object, title: str | None = None) -> CourseFigure:
    """Draw how the number of schedules shrinks, bytecodes to executions, on a log scale.

    funnel: bytecode, shared, conflicting, classes, executions attributes or keys; None: unknown, left out.
    """
    found = [(key, label, get(funnel, key)) for key, label in STAGES]
    known = [(key, label, number) for key, label, number in found if number is not None]
    if not known:
        raise ValueError("This funnel has no numbers yet: explore first.")
    figure = style.new(title or _funnel_message({key: number for key, _, number in known}))
    ax = style.canvas(figure, 10, len(known))
    widest = max(log10(number) + 1 for _, _, number in known)
    for k, (key, label, number) in enumerate(known):
        wide = 4.4 * (log10(max(number, 1)) + 1) / widest
        color, hatch = (style.ISOLATED, None) if key in ("classes", "executions") else (style.ALLOWED, "..")
        ax.barh(k + 0.5, wide, 0.7, left=4.9 - wide / 2 - 2.4, color=color, hatch=hatch, edgecolor="white")
        ax.text(4.95, k + 0.5, f"{big(number)}  {label}", va="center", fontsize=style.LABEL, color=style.INK)
    ax.text(
        2.5, len(known), "width: log scale", ha="center", va="top", fontsize=style.SMALL, color=style.FAINT
    )
    return figure


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
    result: object,
    bad: Collection[str] = (),
    counts: Mapping[object, int] | None = None,
    title: str | None = None,
) -> CourseFigure:
    """Draw each outcome that the search found; a bad one is hatched and marked "!".

    result: a Result with `.outcomes`, or {outcome or label: number of interleavings}. counts: how many
    interleavings end in each outcome, where known. bad: the labels (`outcome_label`) that must not be.
    """
    names = tuple(getattr(result, "threads", ()))
    found = counts or (result if isinstance(result, Mapping) else getattr(result, "outcome_counts", None))
    table = dict(found) if found else dict.fromkeys(get(result, "outcomes"), None)
    rows = sorted((label, n) for label, n in ((outcome_label(o, names), n) for o, n in table.items()))
    figure = style.new(title or _outcomes_message(rows, bad), height=max(1.4 + 0.42 * len(rows), 2.2))
    ax = style.canvas(figure, 10, max(len(rows), 1))
    most = max((n or 1 for _, n in rows), default=1)
    for k, (label, n) in enumerate(rows):
        hurt = label in bad
        color, hatch = (style.LEAK, style.LEAK_HATCH) if hurt else (style.ISOLATED, None)
        wide = 3.0 * (n or 1) / most
        ax.barh(k + 0.5, wide, 0.62, left=6.0, color=color, hatch=hatch, edgecolor="white")
        ax.text(5.85, k + 0.5, ("! " if hurt else "") + label, ha="right", va="center", fontsize=style.LABEL)
        ax.text(6.1 + wide, k + 0.5, f"{n:,}" if n else "", va="center", fontsize=style.LABEL)
    return figure


def outcome_label(outcome: object, names: tuple[str, ...] = ()) -> str:
    """Return an outcome in words: a label stays, (answers, observed) gives "alice True, mallory False"."""
    if isinstance(outcome, str):
        return outcome
    answers, observed = outcome[0], outcome[1] if len(outcome) > 1 else None
    if isinstance(answers, str):
        return answers
    shown = [a[:2] if isinstance(a, tuple) and len(a) == 2 else ("", a) for a in answers]
    pairs = [(name or (names[k] if k < len(names) else ""), value) for k, (name, value) in enumerate(shown)]
    said = ", ".join(f"{name} {value}".strip() for name, value in pairs)
    return said if observed is None else f"{said} ({observed})"


def _outcomes_message(rows: list, bad: Collection[str]) -> str:
    hurt = [n for label, n in rows if label in bad]
    total = sum(n or 0 for _, n in rows)
    if hurt and total:
        return f"{sum(n or 0 for n in hurt):,} of {total:,} interleavings end badly"
    plural = "s" if len(rows) != 1 else ""
    return f"{len(rows)} outcome{plural} can happen" + (f", {len(hurt)} of them bad" if hurt else "")
