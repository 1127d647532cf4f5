"""What a unit has on file: lab.py's setup and solution cells, each exercise's wrong.py and right.py.

A bank is a file of blocks, each an answer: `# %% reason | visible: yes | story` above a wrong one, `# %% mechanism`
above a right one. "visible: yes" says that the answer passes the example that the lab shows.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from .. import percent
from .types import Control, Exercise

VISIBLE = MappingProxyType({"visible: yes": True, "visible: no": False})
CONTROLS_WRONG = 3


@dataclass(frozen=True)
class Cell:
    """One code cell of a percent-format source or a notebook."""

    source: str
    tags: tuple[str, ...]


@dataclass(frozen=True)
class BankAnswer:
    """One answer of a bank: where it stands, the code that defines it, and what its heading says.

    reason: why it must be rejected; visible: whether it passes the lab's example; story: how somebody comes to it.
    mechanism: of a right answer, how it works.
    """

    place: str
    source: str
    reason: str = ""
    visible: bool | None = None
    story: str = ""
    mechanism: str = ""


def code_cells(path: Path) -> list[Cell]:
    """Return the code cells of a jupytext percent file, markers of solutions left out."""
    found = percent.code_cells(path.read_text(encoding="utf-8"))
    return [Cell(_without_markers(f"{cell.source}\n"), tuple(sorted(cell.tags))) for cell in found]


def _without_markers(source: str) -> str:
    return "".join(line for line in source.splitlines(keepends=True) if not line.strip().startswith("### "))


def setup_source(unit_folder: Path) -> str:
    """Return lab.py's cells tagged `setup`, one after the other ("" without a lab)."""
    lab = unit_folder / "lab.py"
    return "\n".join(c.source for c in code_cells(lab) if "setup" in c.tags) if lab.exists() else ""


def solution_source(unit_folder: Path, exercise: Exercise) -> str:
    """Return the lab's own answer cell of an exercise; ValueError when lab.py has none."""
    found = [c.source for c in code_cells(unit_folder / "lab.py") if f"exercise:{exercise.id}" in c.tags]
    if len(found) != 1:
        raise ValueError(f"{unit_folder.name}/lab.py has {len(found)} cells tagged exercise:{exercise.id}.")
    return found[0]


def wrong_answers(folder: Path) -> tuple[BankAnswer, ...]:
    """Return the wrong answers in an exercise's folder; ValueError names a heading that says too little."""
    return tuple(_wrong(place, heading, body) for place, heading, body in _answers(folder / "wrong.py"))


def _wrong(place: str, heading: str, body: str) -> BankAnswer:
    reason, visible, story, *_ = (*(part.strip() for part in heading.split("|", 2)), "", "")
    if not reason or visible not in VISIBLE or not story:
        raise ValueError(f"{place}: the heading should be `# %% reason | visible: yes or no | story`.")
    return BankAnswer(place, body, reason, VISIBLE[visible], story)


def right_answers(folder: Path) -> tuple[BankAnswer, ...]:
    """Return the right answers in an exercise's folder; ValueError names one without a mechanism."""
    found = tuple(BankAnswer(place, body, mechanism=heading) for place, heading, body in _answers(folder / "right.py"))
    for one in found:
        if not one.mechanism:
            raise ValueError(f"{one.place}: the heading should be `# %% mechanism`.")
    return found


def _answers(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield (place, heading, code) of each answer of a bank; nothing when there is no such file."""
    for block in percent.blocks(path.read_text(encoding="utf-8")) if path.exists() else ():
        yield f"{path.parent.name}/{path.name}:{block.line}", block.heading, f"{block.source}\n"


def load_answer(source: str, name: str, answer: str, setup: str = "") -> object:
    """Execute a source after the lab's setup cells, in a namespace of its own; return what it calls `answer`.

    name: shown in messages; the text is registered in linecache, so that its source can be read. A name that
    is not defined gives `...` (untouched). Raises what the source raises.
    """
    namespace: dict[str, object] = {"__name__": "answer"}
    for label, text in ((f"setup of {name}", setup), (name, source)):
        linecache.cache[label] = (len(text), None, text.splitlines(keepends=True), label)
        exec(compile(text, label, "exec", dont_inherit=True), namespace)
    return namespace.get(answer, ...)


def default_controls(folder: Path) -> tuple[Control, ...]:
    """Return controls from a bank: the right answers, and wrong ones that do not just crash or hang."""
    right = [Control(a.source, True) for a in right_answers(folder)]
    quick = [a for a in wrong_answers(folder) if a.reason not in ("exception", "timeout", "stuck")]
    return (*right, *(Control(a.source, False) for a in quick[:CONTROLS_WRONG]))
