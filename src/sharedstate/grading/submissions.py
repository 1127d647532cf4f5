"""Which files of a folder are submissions, and whose. Nothing is executed here and nothing is changed.

One rule for plain files, a folder for each learner, and nbgrader's submitted/<learner>/<assignment>/: the learner is
the first part of the path, or the file's own name where it lies at the top.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sharedstate.checks.bank import Cell
from sharedstate.checks.extract import NotebookUnreadable, read_cells, unit_of
from sharedstate.checks.registry import unit_number

SUBMITTED = "submitted"
LINK = "This is a link, which may show another learner's file: not followed."
HIDDEN = (".ipynb_checkpoints", "__pycache__")


@dataclass(frozen=True)
class Submission:
    """One notebook of one learner, read. `problem`: why it cannot be graded; then there are no cells.

    name: the file's path in the folder; digest: of its bytes, "" for one that could not be read.
    """

    learner: str
    name: str
    unit: str = ""
    cells: tuple[Cell, ...] = field(default=(), repr=False)
    digest: str = ""
    problem: str = ""


def submissions(folder: Path) -> list[Submission]:
    """Read every submission below a folder, in the order of their names. ValueError when there is none."""
    folder = (folder / SUBMITTED if (folder / SUBMITTED).is_dir() else folder).resolve()
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder: give the one that holds the submitted notebooks.")
    found = sorted(_found(folder), key=lambda one: (one.learner, one.name))
    if not found:
        raise ValueError(f"{folder} holds no notebook (*.ipynb), and no folder for a learner.")
    return found


def _found(folder: Path) -> Iterator[Submission]:
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith(".") or entry.name in HIDDEN:
            continue
        if entry.suffix == ".ipynb":  # a file, or a link to one: read as any other
            yield _read(folder, entry, entry.stem)
        elif entry.is_symlink():
            yield Submission(entry.name, entry.name, problem=LINK)
        elif entry.is_dir():
            inside = [file for file in sorted(entry.rglob("*.ipynb")) if not {*file.parts} & {*HIDDEN}]
            yield from (_read(folder, file, entry.name) for file in inside)
            if not inside:
                yield Submission(entry.name, entry.name, problem="There is no notebook (*.ipynb) in this folder.")


def _read(top: Path, file: Path, learner: str) -> Submission:
    name = file.relative_to(top).as_posix()
    if file.is_symlink() or not file.resolve().is_relative_to(top):
        return Submission(learner, name, problem=LINK)
    if not file.is_file():  # reading a pipe would never end
        return Submission(learner, name, _named(file), problem="This is no file.")
    try:
        cells = read_cells(file)
        return Submission(learner, name, unit_of(file, cells), tuple(cells), _digest(file))
    except NotebookUnreadable as problem:
        return Submission(learner, name, _named(file), (), _digest(file), str(problem).replace(f"{top}/", ""))


def _named(file: Path) -> str:
    """Return the unit that a file's name tells, "" where it tells none."""
    try:
        return unit_number(file.name)
    except ValueError:
        return ""


def _digest(file: Path) -> str:
    try:
        with open(file, "rb") as data:
            return hashlib.file_digest(data, "sha256").hexdigest()
    except OSError:
        return ""
