"""Which files of a folder are learners' records, and whose. Nothing is changed, and no file can stop the others.

The learner is the first part of the path, or the file's own name where it lies at the top: a folder of exported files,
a folder for each learner, and the folder of a JupyterHub are read alike.
"""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sharedstate.progress import Progress, ProgressTooNew

LARGEST = 5_000_000  # bytes; a record of the whole course has some 20,000
DEEPEST = 3  # folders below the top


@dataclass(frozen=True)
class Record:
    """One file of a learner: its data as `Progress.parse` gives them, or `trouble`, why it cannot be read."""

    learner: str
    name: str
    data: dict[str, Any] | None = None
    trouble: str = ""

    @property
    def last(self) -> float:
        """The moment of the last activity (seconds since 1970); 0 without any."""
        return max(self.data["activity"].values(), default=0.0) if self.data else 0.0


def read_folder(folder: Path, waiting: bool = False) -> list[Record]:
    """Read every record below a folder, in the order of their names; of a learner's several good ones the newest.

    Raises ValueError when the folder is none, or holds nothing that looks like a record (unless `waiting` for it).
    """
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder: give the one that holds the exported progress files.")
    found = [_read(folder, file) for file in _files(folder, 0)]
    if not found and not waiting:
        raise ValueError(f"{folder} holds no progress file yet. A learner makes one with "
                         "`python run.py progress --export NAME.json`.")
    newest: dict[str, Record] = {}
    for record in found:
        if record.data is not None and record.last >= newest.get(record.learner, record).last:
            newest[record.learner] = record
    return [record for record in found if record.data is None or record is newest[record.learner]]


def _files(folder: Path, depth: int) -> Iterator[Path]:
    """Yield what looks like a record: at the top every .json or .csv file, further down progress files only."""
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith(".") or entry.name.startswith("progress-damaged-"):
            continue
        if entry.is_dir() and not entry.is_symlink():
            if depth < DEEPEST:
                try:
                    yield from _files(entry, depth + 1)
                except OSError:
                    yield entry / "progress.json"  # a folder that cannot be looked into: its row will say so
        elif entry.suffix in (".json", ".csv") and (not depth or entry.stem.startswith("progress")):
            yield entry


def _read(top: Path, file: Path) -> Record:
    inside = file.relative_to(top)
    learner = inside.parts[0] if len(inside.parts) > 1 else file.stem
    try:
        return Record(learner, inside.as_posix(), Progress.parse(_text(file)))
    except ProgressTooNew:
        said = "It was written by a newer version of the course: update this one."
    except RecursionError:
        said = "It is not a progress file."
    except UnicodeDecodeError:
        said = "It is not a text file."
    except ValueError as problem:
        said = str(problem)
        if isinstance(problem, json.JSONDecodeError):
            said = "It is half-written or damaged: export it again."
        elif not said.endswith("."):
            said = f"It is not a progress file: {said}."
    except OSError as problem:
        said = f"It cannot be opened: {problem.strerror}."
    return Record(learner, inside.as_posix(), trouble=said)


def _text(file: Path) -> str:
    """Return a file's text. Raises ValueError for what is no plain file, too large, empty, or in the other format."""
    if file.suffix == ".csv":
        raise ValueError("A CSV file is for a spreadsheet: export to a file that ends in .json.")
    about = file.lstat()
    if not stat.S_ISREG(about.st_mode):
        raise ValueError("It is a link or no plain file: not followed.")
    if about.st_size > LARGEST:
        raise ValueError(f"It is too large ({about.st_size:,} bytes).")
    text = file.read_text(encoding="utf-8")
    if not text.strip():
        raise ValueError("It is empty.")
    return text
