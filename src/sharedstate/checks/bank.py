"""A unit's answers on file: lab.py's setup and solution cells, wrong_answers/ and right_answers/."""

from __future__ import annotations

import linecache
import re
from dataclasses import dataclass
from pathlib import Path

from .types import Control, Exercise

CELL = re.compile(r"^# %%(?P<rest>.*)$", re.MULTILINE)
TAGS = re.compile(r"tags=\[(?P<tags>[^\]]*)\]")
HEADER = re.compile(r"^# (?P<key>[a-z ]+): (?P<value>.*)$")
CONTROLS_WRONG = 3


@dataclass(frozen=True)
class Cell:
    """One code cell of a percent-format source or a notebook."""

    source: str
    tags: tuple[str, ...]


@dataclass(frozen=True)
class BankAnswer:
    """One file of the bank: its header as a dict, and the code that defines the answer."""

    path: Path
    header: dict[str, str]
    source: str

    @property
    def exercise(self) -> str:
        """The id of the exercise that it answers."""
        return self.header.get("exercise", "")

    @property
    def reason(self) -> str:
        """The reason for which it must be rejected ("" for a right answer)."""
        return self.header.get("reason", "")


def code_cells(path: Path) -> list[Cell]:
    """Return the code cells of a jupytext percent file, markers of solutions left out."""
    text = path.read_text(encoding="utf-8")
    marks = list(CELL.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    found = []
    for mark, end in zip(marks, ends, strict=True):
        if "[markdown]" in mark["rest"] or "[raw]" in mark["rest"]:
            continue
        tags = TAGS.search(mark["rest"])
        names = tuple(re.findall(r'"([^"]*)"', tags["tags"])) if tags else ()
        found.append(Cell(_without_markers(text[mark.end():end]), names))
    return found


def _without_markers(source: str) -> str:
    lines = [line for line in source.strip("\n").splitlines() if not line.strip().startswith("### ")]
    return "\n".join(lines) + "\n"


def setup_source(folder: Path) -> str:
    """Return lab.py's cells tagged `setup`, one after the other ("" without a lab)."""
    lab = folder / "lab.py"
    return "\n".join(c.source for c in code_cells(lab) if "setup" in c.tags) if lab.exists() else ""


def solution_source(folder: Path, exercise: Exercise) -> str:
    """Return the lab's own answer cell of an exercise; ValueError when lab.py has none."""
    found = [c.source for c in code_cells(folder / "lab.py") if f"exercise:{exercise.id}" in c.tags]
    if len(found) != 1:
        raise ValueError(f"{folder.name}/lab.py has {len(found)} cells tagged exercise:{exercise.id}.")
    return found[0]


def answers_on_file(folder: Path, exercise: Exercise) -> list[BankAnswer]:
    """Return the files of a wrong_answers/ or right_answers/ folder that answer this exercise."""
    every = [read_answer(path) for path in sorted(folder.glob("*.py"))]
    return [one for one in every if one.exercise == exercise.id]


def read_answer(path: Path) -> BankAnswer:
    """Read a file of the bank: leading comment lines `# key: value`, then the code."""
    text = path.read_text(encoding="utf-8")
    header: dict[str, str] = {}
    for line in text.splitlines():
        found = HEADER.match(line)
        if not found:
            break
        header[found["key"]] = found["value"].strip()
    return BankAnswer(path, header, text)


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


def default_controls(folder: Path, exercise: Exercise) -> tuple[Control, ...]:
    """Return controls from the bank: the right answers, and wrong ones that do not just crash or hang."""
    right = [Control(a.source, True) for a in answers_on_file(folder / "right_answers", exercise)]
    wrong = answers_on_file(folder / "wrong_answers", exercise)
    quick = [a for a in wrong if a.reason not in ("exception", "timeout", "stuck")]
    return (*right, *(Control(a.source, False) for a in quick[:CONTROLS_WRONG]))
