"""The influence matrix: rows are outputs, columns are inputs, a cell says what one does to the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from sharedstate.influence import words
from sharedstate.influence.words import ALLOWED, ISOLATED, LEAK, LETTERS, LOST, UNKNOWN


@dataclass(frozen=True)
class Witness:
    """Why a cell is a leak (or lost): what two inputs did to one output.

    `inputs` are the two inputs that differ in nothing but `column`, `answers` what `row` gave for each.
    Threads: dictionaries of arguments, sets of answers, the `trace` of a schedule with the answer that only
    the first inputs can bring about, and `replay(on="generators"|"threads")`, which runs it again. Tensors:
    `place` is the pair (index in the output, index in the input), and the answers are numbers.
    """

    row: str
    column: str
    text: str
    inputs: tuple[object, object] = (None, None)
    answers: tuple[object, object] = (None, None)
    trace: object | None = None
    place: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    replay: Callable[..., object] | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        """One sentence."""
        return self.text


@dataclass(frozen=True)
class Influence:
    """Who can influence whom, as data.

    `states[r][c]` is allowed, isolated, leak, lost or unknown (an exploration ran out, say: then a leak may
    be proved, but never isolation). `values[r][c]` is the size of the influence, where it has one.
    `method` says how the cells were filled, `blind_to` what that method cannot see, `notes` what qualifies
    this result. Raises ValueError for a state that is none of the five, or for rows of other lengths.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    witnesses: Mapping[tuple[str, str], Witness] = field(default_factory=lambda: MappingProxyType({}))
    method: str = ""
    blind_to: str = ""
    values: tuple[tuple[float, ...], ...] | None = None
    notes: tuple[str, ...] = ()
    kind: str = "tensors"

    def __post_init__(self) -> None:
        """Refuse what is not a matrix of states."""
        if len(self.states) != len(self.rows) or any(len(row) != len(self.columns) for row in self.states):
            raise ValueError(f"states must have {len(self.rows)} rows of {len(self.columns)} cells")
        unknown = {state for row in self.states for state in row} - set(LETTERS)
        if unknown:
            wrong = ", ".join(sorted(map(str, unknown)))
            raise ValueError(f"a cell is one of {', '.join(LETTERS)}, not {wrong}")

    def cells(self, state: str) -> tuple[tuple[str, str], ...]:
        """The (row, column) pairs that are in this state."""
        return tuple((row, column) for row, column, found in self._all() if found == state)

    def _all(self) -> Iterator[tuple[str, str, str]]:
        """Every cell as (row, column, state)."""
        for row, states in zip(self.rows, self.states, strict=True):
            for column, state in zip(self.columns, states, strict=True):
                yield row, column, state

    @property
    def leaks(self) -> tuple[tuple[str, str], ...]:
        """The cells with influence that may not be."""
        return self.cells(LEAK)

    @property
    def lost(self) -> tuple[tuple[str, str], ...]:
        """The cells without the influence that must be."""
        return self.cells(LOST)

    @property
    def unknown(self) -> tuple[tuple[str, str], ...]:
        """The cells that could not be decided."""
        return self.cells(UNKNOWN)

    @property
    def clean(self) -> bool:
        """True if nothing leaks, nothing is lost and every cell was decided."""
        return not (self.leaks or self.lost or self.unknown)

    def state(self, row: object, column: object) -> str:
        """The state of one cell. Raises KeyError, which lists the names, for a cell that is not there."""
        row, column = str(row), str(column)
        if row not in self.rows or column not in self.columns:
            raise KeyError(f"no cell ({row}, {column}): rows {self.rows}, columns {self.columns}")
        return self.states[self.rows.index(row)][self.columns.index(column)]

    @property
    def message(self) -> str:
        """The result in one line: the leaks first, then what is lost, then what is not decided."""
        return words.message(self)

    def __str__(self) -> str:
        """The matrix as a table of letters, its witnesses and its blind spot."""
        return words.text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """The matrix as an HTML table, for a notebook."""
        return words.html(self)


def classify(influences: bool | None, may: bool, must: bool) -> str:
    """The state of a cell from what was measured (None: not decided) and what was declared."""
    if influences is None:
        return UNKNOWN
    if influences:
        return ALLOWED if may or must else LEAK
    return LOST if must else ISOLATED


def declared(
    pairs: Any, rows: tuple[str, ...], columns: tuple[str, ...], word: str
) -> frozenset[tuple[str, str]]:
    """The (row, column) pairs that a declaration names.

    `pairs`: None; pairs of names, where "*" stands for all; or a matrix of booleans, rows by columns, as
    nested lists, a numpy array or a tensor. Raises ValueError for a name or a shape that does not fit.
    """
    if pairs is None:
        return frozenset()
    pairs = pairs.tolist() if hasattr(pairs, "tolist") else list(pairs)
    if pairs and all(isinstance(line, (list, tuple)) and _booleans(line) for line in pairs):
        return _from_booleans(pairs, rows, columns, word)
    found: set[tuple[str, str]] = set()
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise ValueError(f'{word} holds pairs such as ("alice", "mallory"), not {pair!r}')
        found |= set(_expand(str(pair[0]), str(pair[1]), rows, columns, word))
    return frozenset(found)


def _booleans(line: list | tuple) -> bool:
    """True for a line of a boolean matrix."""
    return bool(line) and all(isinstance(entry, bool) for entry in line)


def _from_booleans(
    table: list[list[bool]], rows: tuple[str, ...], columns: tuple[str, ...], word: str
) -> frozenset[tuple[str, str]]:
    """The pairs whose entry is true."""
    if len(table) != len(rows) or any(len(line) != len(columns) for line in table):
        raise ValueError(f"{word} must have {len(rows)} rows and {len(columns)} columns, as the matrix has")
    return frozenset(
        (row, column)
        for row, line in zip(rows, table, strict=True)
        for column, entry in zip(columns, line, strict=True)
        if entry
    )


def _expand(
    row: str, column: str, rows: tuple[str, ...], columns: tuple[str, ...], word: str
) -> Iterator[tuple[str, str]]:
    """The cells that one pair names, "*" for all."""
    for name, names, what in ((row, rows, "row"), (column, columns, "column")):
        if name != "*" and name not in names:
            raise ValueError(f"{word} names {name!r}, which is no {what}; there are {', '.join(names)}")
    for r in rows if row == "*" else (row,):
        for c in columns if column == "*" else (column,):
            yield r, c
