"""Two results side by side: the racy program and the fixed one, as text or HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sharedstate.interleave.result import Result
from sharedstate.interleave.show.html import CELL, FRAME, LINE, OTHER_VERDICT, VERDICTS
from sharedstate.interleave.show.text import cut, pad
from sharedstate.interleave.show.words import clip, escape, outcome_text
from sharedstate.wording import count

LABEL, COLUMN, GAP = 26, 40, 2
MOST = 12
PROVED = "#0072B2"
EVERYTHING = re.compile(r"all |the only |[\d,]+ of [\d,]+ classes")


@dataclass(frozen=True)
class Row:
    """One line of a comparison: what is compared, and what each side says."""

    label: str
    cells: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """True if the sides do not say the same."""
        return len(set(self.cells)) > 1


@dataclass(frozen=True)
class Comparison:
    """Results of the same threads, with their names; `str()` gives text, a notebook draws HTML."""

    names: tuple[str, ...]
    results: tuple[Result, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """Verdict, coverage, smallest failing schedule, whether it is possible here, assumptions."""
        table = (
            ("verdict", [r.verdict for r in self.results]),
            ("tried", [r.coverage for r in self.results]),
            ("smallest bad schedule", [_smallest(r) for r in self.results]),
            ("today", [_today(r) for r in self.results]),
            ("assuming", ["; ".join(r.assumptions) or "nothing more" for r in self.results]),
        )
        return tuple(Row(label, tuple(cells)) for label, cells in table)

    @property
    def outcomes(self) -> tuple[Row, ...]:
        """Each outcome of either side, and in how many executions it came."""
        every = sorted(set().union(*(r.outcomes for r in self.results)), key=repr)
        found = []
        for outcome in every:
            cells = tuple(_times(r, outcome) for r in self.results)
            found.append(Row(outcome_text(outcome, self.results[0].threads), cells))
        return tuple(found)

    @property
    def text(self) -> str:
        """A table of text, at most 110 columns wide, and below it the smallest bad schedule of each side."""
        wide = min(COLUMN, (110 - LABEL) // len(self.names) - GAP)
        lines = [_line("", self.names, wide)]
        for row in self.rows:
            lines += _wrapped(row, wide)
        shown, more = self.outcomes[:MOST], len(self.outcomes) - MOST
        lines += ["", "outcomes", *(part for row in shown for part in _wrapped(row, wide))]
        lines += [f"and {more} more outcomes"] if more > 0 else []
        for name, result in zip(self.names, self.results, strict=True):
            if result.minimal is not None:
                lines += ["", f"{name}:", result.minimal.show("text").text]
        return "\n".join(line.rstrip() for line in lines)

    @property
    def html(self) -> str:
        """A table as HTML; each side's smallest bad schedule unfolds below."""
        heads = "".join(f'<th scope="col" style="{CELL}">{escape(name)}</th>' for name in self.names)
        rows = "".join(_html_row(row) for row in (*self.rows, *self.outcomes[:MOST]))
        traces = "".join(
            f"<details><summary>{escape(name)}: smallest bad schedule</summary>{r.minimal.show('html').html}</details>"
            for name, r in zip(self.names, self.results, strict=True)
            if r.minimal is not None
        )
        return (
            f'<div class="ss-compare" style="{FRAME}"><table style="border-collapse:collapse;width:100%">'
            f'<thead><tr style="background:none"><th style="{CELL}"></th>{heads}</tr></thead>'
            f"<tbody>{rows}</tbody></table>{traces}</div>"
        )

    def __str__(self) -> str:
        """The comparison as text."""
        return self.text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """The comparison as HTML."""
        return self.html


def compare(*results: Result, names: tuple[str, ...] = ("racy", "fixed")) -> Comparison:
    """Put results of the same threads side by side. Raises ValueError if they are not comparable.

    results: two or more, in the order of `names`.
    """
    if len(results) < 2 or len(results) != len(names):
        raise ValueError("compare takes two results or more, and as many names: compare(racy, fixed)")
    if len({tuple(sorted(r.threads)) for r in results}) > 1:
        raise ValueError("these results have other threads; compare scenarios with the same thread names")
    return Comparison(tuple(names), results)


def _smallest(result: Result) -> str:
    """Cost of the smallest failing schedule."""
    trace = result.minimal
    if trace is None:
        return "none"
    steps = count(len(trace.schedule), "step")
    return f"{count(trace.preemptions, 'preemption')}, {count(trace.switches, 'switch')}, {steps}"


def _today(result: Result) -> str:
    """Whether this interpreter could do it."""
    trace = result.minimal
    if trace is None or trace.possible is None:
        return "-"
    return "possible on this interpreter" if trace.possible else "not today"


def _times(result: Result, outcome: tuple) -> str:
    """How often an outcome came; "never" only where everything was tried."""
    if outcome not in result.outcomes:
        return "never" if EVERYTHING.match(result.coverage) else "not seen"
    number = result.counts.get(outcome)
    return f"{number:,} x" if number else "yes"


def _line(label: str, cells: tuple[str, ...], wide: int) -> str:
    return (" " * GAP).join([pad(label, LABEL), *(pad(cell, wide) for cell in cells)])


def _wrapped(row: Row, wide: int) -> list[str]:
    """A row over as many lines as its longest cell needs, four at most."""
    cells = [_fold(row.label, LABEL), *(_fold(cell, wide) for cell in row.cells)]
    height = max(map(len, cells))
    padded = [cell + [""] * (height - len(cell)) for cell in cells]
    return [_line(padded[0][k], tuple(cell[k] for cell in padded[1:]), wide) for k in range(height)]


def _fold(text: str, wide: int) -> list[str]:
    """Words over lines of this width."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > wide:
            lines.append("")
        lines[-1] = cut(f"{lines[-1]} {word}".strip(), wide)
    return lines[:4]


def _html_row(row: Row) -> str:
    cells = "".join(f'<td style="{CELL}{_color(row, cell)}">{escape(clip(cell, 200))}</td>' for cell in row.cells)
    head = f'<th scope="row" style="{CELL}">{escape(row.label)}</th>'
    return f'<tr style="background:none;border-top:{LINE}">{head}{cells}</tr>'


def _color(row: Row, cell: str) -> str:
    """The verdict in its color, what differs in bold."""
    if row.label == "verdict":
        color = PROVED if cell == "proved" else VERDICTS.get(cell, OTHER_VERDICT)
        return f";border-left:8px solid {color};font-weight:bold"
    return ";font-weight:bold" if row.differs else ""
