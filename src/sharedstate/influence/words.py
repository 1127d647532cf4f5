"""An influence matrix in words, as a table of text and as HTML."""

from __future__ import annotations

import html as markup
from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from sharedstate.interleave.show.words import clip
from sharedstate.palette import CELLS, GRID
from sharedstate.wording import folded

ALLOWED, ISOLATED, LEAK, LOST, UNKNOWN = "allowed", "isolated", "leak", "lost", "unknown"
LETTERS = MappingProxyType({ALLOWED: "A", ISOLATED: "I", LEAK: "L", LOST: "X", UNKNOWN: "?"})
MEANINGS = MappingProxyType(
    {
        ALLOWED: "influence that may be",
        ISOLATED: "no influence",
        LEAK: "influence that may not be",
        LOST: "influence that must be, and is not",
        UNKNOWN: "not decided",
    }
)
SCHEDULE = "schedule"
WIDEST, WITNESSES, LONGEST = 24, 6, 20
DOTS = "radial-gradient(#222 1px,transparent 1.5px) 0 0/7px 7px "
BOX = '<span style="background:#fff;color:#222;padding:0 .3em">{}</span>'
CELL = f"text-align:center;padding:2px 8px;border:1px solid {GRID};color:#222"

Cells = tuple[tuple[str, str], ...]


class _Sentence(Protocol):
    """A witness, as far as it is told."""

    @property
    def text(self) -> str:
        """One sentence."""


class _Matrix(Protocol):
    """What is told of an influence matrix; `Influence` says what each part means."""

    @property
    def rows(self) -> tuple[str, ...]: ...
    @property
    def columns(self) -> tuple[str, ...]: ...
    @property
    def states(self) -> tuple[tuple[str, ...], ...]: ...
    @property
    def witnesses(self) -> Mapping[tuple[str, str], _Sentence]: ...
    @property
    def method(self) -> str: ...
    @property
    def blind_to(self) -> str: ...
    @property
    def notes(self) -> tuple[str, ...]: ...
    @property
    def kind(self) -> str: ...
    @property
    def leaks(self) -> Cells: ...
    @property
    def lost(self) -> Cells: ...
    @property
    def unknown(self) -> Cells: ...
    @property
    def clean(self) -> bool: ...
    def cells(self, state: str) -> Cells: ...


def phrase(matrix: _Matrix, row: str, column: str, lost: bool = False) -> str:
    """Say what reaches what (or never does), as in "mallory's input reaches alice's answer"."""
    verb = "never reaches" if lost else "reaches"
    if matrix.kind != "threads":
        return f"input {clip(column, LONGEST)} {verb} output {clip(row, LONGEST)}"
    if column == SCHEDULE:
        return f"the schedule alone {'never ' if lost else ''}changes {_answer(matrix, row)}"
    if row == column:
        return f"{clip(column, LONGEST)}'s own input {verb} {_answer(matrix, row)}"
    return f"{clip(column, LONGEST)}'s input {verb} {_answer(matrix, row)}"


def _answer(matrix: _Matrix, row: str) -> str:
    """A thread's answer, or a field's own name."""
    return f"{clip(row, LONGEST)}'s answer" if row in matrix.columns else clip(row, LONGEST)


def message(matrix: _Matrix) -> str:
    """The result in one line."""
    parts = []
    for cells, one, many, lost in (
        (matrix.leaks, "Leak", "leaks", False), (matrix.lost, "Lost", "lost", True),
    ):  # fmt: skip
        if cells:
            head = one if len(cells) == 1 else f"{len(cells):,} {many}, first"
            parts.append(f"{head}: {phrase(matrix, *cells[0], lost)}")
    if matrix.unknown:
        parts.append(f"{len(matrix.unknown):,} of {_size(matrix):,} cells not decided")
    if parts:
        return "; ".join(parts)
    isolated = len(matrix.cells("isolated"))
    return f"Clean: nothing leaks, nothing is lost, {isolated:,} of {_size(matrix):,} cells isolated"


def _size(matrix: _Matrix) -> int:
    """The number of cells."""
    return len(matrix.rows) * len(matrix.columns)


def text(matrix: _Matrix) -> str:
    """The matrix as plain text: rows are outputs, columns are inputs."""
    left = max([len(name) for name in matrix.rows] + [6])
    small = len(matrix.columns) <= WIDEST
    widths = [len(name) if small else 1 for name in matrix.columns]
    gap = "  " if small else ""
    lines = [message(matrix)]
    if small:
        lines.append(f"{'':{left}}  " + gap.join(matrix.columns))
    for row, states in zip(matrix.rows, matrix.states, strict=True):
        letters = gap.join(f"{LETTERS[s]:^{w}}" for s, w in zip(states, widths, strict=True))
        lines.append(f"{row:<{left}}  {letters}".rstrip())
    used = {state for states in matrix.states for state in states}
    lines.append("; ".join(f"{letter} {state}" for state, letter in LETTERS.items() if state in used))
    lines += [f"{witness.text}" for witness in list(matrix.witnesses.values())[:WITNESSES]]
    hidden = len(matrix.witnesses) - WITNESSES
    lines += [f"… and {hidden} witnesses more"] if hidden > 0 else []
    lines += [folded(f"note: {note}") for note in matrix.notes]
    lines += [f"method: {matrix.method}"] if matrix.method else []
    lines += [folded(f"cannot see: {matrix.blind_to}")] if matrix.blind_to else []
    return "\n".join(lines)


def html(matrix: _Matrix) -> str:
    """The matrix as an HTML fragment: a table with a letter in every cell, then the words."""
    big = len(matrix.columns) > WIDEST
    heads = "" if big else "".join(f'<th scope="col">{_safe(name)}</th>' for name in ("", *matrix.columns))
    body = "".join(_row(matrix, row, states) for row, states in zip(matrix.rows, matrix.states, strict=True))
    notes = [w.text for w in list(matrix.witnesses.values())[:WITNESSES]]
    notes += [f"note: {note}" for note in matrix.notes]
    notes += [f"method: {matrix.method}; cannot see: {matrix.blind_to}"] if matrix.method else []
    below = "".join(f"<div>{_safe(note)}</div>" for note in notes)
    return (
        f'<div class="ss-influence" data-clean="{str(matrix.clean).lower()}" style="overflow-x:auto">'
        f"<div><b>{_safe(message(matrix))}</b></div>"
        f'<table style="border-collapse:collapse"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
        f'<div style="font-size:85%">{below}</div></div>'
    )


def _row(matrix: _Matrix, row: str, states: tuple[str, ...]) -> str:
    """One row of the table; every cell carries its state in words too."""
    cells = "".join(
        f'<td data-state="{state}" title="{_safe(f"{row} from {column}: {state}, {MEANINGS[state]}")}" '
        f'style="{CELL};background:{DOTS * (state == "lost")}{CELLS[state]}">{_boxed(state)}</td>'
        for column, state in zip(matrix.columns, states, strict=True)
    )
    return f'<tr><th scope="row">{_safe(row)}</th>{cells}</tr>'


def _boxed(state: str) -> str:
    """A cell's letter; on a strong colour in a white box."""
    return BOX.format(LETTERS[state]) if state in ("leak", "lost") else LETTERS[state]


def _safe(words: str) -> str:
    """Fit for HTML."""
    return markup.escape(words)
