"""The learner's own record, my-labs/progress.json: attempts, solved exercises, predictions, time spent.

A `Record` is any such file. Every change is a read, a change and an atomic write under a lock between processes, so
that two kernels never lose an update. A file that cannot be read is kept as a dated copy, and said so.
"""

from __future__ import annotations

import copy
import csv
import io
import json
import os
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, Self

from . import paths
from .files import file_lock, free_name, write_atomic

SCHEMA = 1
PAUSE = 600.0  # seconds without activity after which time spent stops counting
NO_ANSWER = ("untouched", "missing")  # reasons of an attempt at which there was no answer yet
LARGEST = 1e15  # of any number in the file: every one fits into a float, and into a date's range and beyond

Sections = Mapping[str, Callable[[object], bool]]  # each section of a file, and what one of its entries must look like


def number(found: object) -> bool:
    """True for a number that is no bool, and not beyond all sense."""
    return isinstance(found, (int, float)) and type(found) is not bool and -LARGEST < found < LARGEST


def _exercise(found: object) -> bool:
    """True for {"attempts", "points", "solved"}, with or without "reason", "seconds", "last" and "wrong"."""
    if type(found) is not dict or type(found.get("attempts")) is not int or not number(found["attempts"]):
        return False
    if type(found.get("solved", 0)) not in (str, type(None)) or type(found.get("reason", "")) not in (str, type(None)):
        return False
    return all(number(found.get(key, 0)) for key in ("points", "seconds", "last")) and _counts(found.get("wrong", {}))


def _counts(found: object) -> bool:
    return type(found) is dict and all(type(times) is int and number(times) for times in found.values())


def _prediction(found: object) -> bool:
    """True for {"choice", "when", "changes"}, with or without a "text"."""
    if type(found) is not dict or type(found.get("changes")) is not int:
        return False
    return type(found.get("choice")) is str and type(found.get("when")) is str and type(found.get("text", "")) is str


class ProgressTooNew(RuntimeError):
    """The file was written by a newer version of the course and is left alone."""


class Record:
    """A file of the learner's in memory, and its only writer. `notice` says what happened to a damaged file.

    A subclass names its file in my-labs/, and its sections.
    """

    file: ClassVar[str]
    sections: ClassVar[Sections]

    def __init__(self, path: Path, lock: Callable[[Path], AbstractContextManager[None]] = file_lock) -> None:
        self.path = Path(path)
        self.notice = ""
        self._lock = lock
        self.data = self._empty()

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read the record (the file in my-labs/ unless a path is given); a missing one is empty.

        Raises ProgressTooNew for a newer file, OSError when it cannot be read.
        """
        record = cls(path or paths.my_labs() / cls.file)
        if record.path.exists():
            with record._lock(record.path.with_suffix(".lock")):
                record.data = record._read()
        return record

    @classmethod
    def empty(cls) -> Self:
        """Return a record without a history, for where the file cannot be read."""
        return cls(paths.my_labs() / cls.file)

    def _empty(self) -> dict:
        return {"schema": SCHEMA, **{section: {} for section in self.sections}}

    def _update(self, change: Callable[[dict], None]) -> None:
        """Read, change, write: one step for everybody who uses the lock."""
        with self._lock(self.path.with_suffix(".lock")):
            data = self._read()
            change(data)
            write_atomic(self.path, json.dumps(data, indent=1, sort_keys=True))
            self.data = copy.deepcopy(data)

    def _read(self) -> dict:
        """Return the file's data; call it under the lock only, since a damaged file is moved aside."""
        if not self.path.exists():
            return self._empty()
        try:
            data = self.parse(self.path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as problem:
            name = Path(self.file).stem
            kept = free_name(self.path.with_name(f"{name}-damaged-{datetime.now():%Y%m%d-%H%M%S}.json"))
            os.replace(self.path, kept)
            self.notice = f"{self.file} was damaged ({problem}): kept as {kept.name}, a new one begins."
            return self._empty()
        return data

    @classmethod
    def parse(cls, text: str) -> dict:
        """Return the data of a record from its text.

        Raises ValueError (or RecursionError) for anything that is no whole record, ProgressTooNew for a newer course's.
        """
        data = json.loads(text)
        if type(data) is not dict or type(data.get("schema")) is not int:
            raise ValueError("it is no progress record")
        if data["schema"] > SCHEMA:
            raise ProgressTooNew(f"{cls.file} was written by a newer version of the course: update the course.")
        for section, check in cls.sections.items():
            if type(data.get(section)) is not dict:
                raise ValueError("a section is missing")
            bad = next((key for key, entry in data[section].items() if not check(entry)), None)
            if bad is not None:
                raise ValueError(f"the entry {bad!r} of {section!r} cannot be read")
        return data


class Progress(Record):
    """The learner's progress in the exercises and predictions."""

    file: ClassVar[str] = "progress.json"
    sections: ClassVar[Sections] = MappingProxyType({
        "exercises": _exercise, "predictions": _prediction, "seconds": number, "activity": number,
    })

    def record_attempt(
        self, exercise_id: str, ok: bool, points: float, reason: str, now: float | None = None
    ) -> None:
        """Count an attempt; the first right one gives the date, and the best points are kept.

        Of an attempt with an answer its time is kept too, and if the answer was wrong, for which reason.
        """
        def change(data: dict) -> None:
            entry = data["exercises"].setdefault(exercise_id, {"attempts": 0, "points": 0.0, "solved": None})
            entry["attempts"] += 1
            entry["points"] = max(entry["points"], points)
            entry["reason"] = reason
            if ok and not entry["solved"]:
                entry["solved"] = stamp(now)
            spent, moment = _spend(data, exercise_id, now)
            if reason in NO_ANSWER:
                return
            entry["seconds"], entry["last"] = entry.get("seconds", 0.0) + spent, moment
            if not ok:
                wrong = entry.setdefault("wrong", {})
                wrong[reason] = wrong.get(reason, 0) + 1
        self._update(change)

    def record_prediction(
        self, question_id: str, choice: str, text: str = "", now: float | None = None
    ) -> None:
        """Keep the learner's choice (the latest one counts; how often it changed is kept too)."""
        def change(data: dict) -> None:
            before = data["predictions"].get(question_id, {"changes": -1})
            entry = {"choice": choice, "text": text, "when": stamp(now), "changes": before["changes"] + 1}
            data["predictions"][question_id] = entry
            _spend(data, question_id, now)
        self._update(change)

    def prediction(self, question_id: str) -> dict | None:
        """Return the stored prediction {"choice", "text", "when", "changes"}, or None."""
        return self.data["predictions"].get(question_id)

    def solved(self, exercise_id: str) -> bool:
        """True when the exercise was solved once."""
        return bool(self.data["exercises"].get(exercise_id, {}).get("solved"))

    def points(self, unit: str) -> float:
        """Return the points reached in a unit ("01")."""
        return sum(e["points"] for key, e in self.data["exercises"].items() if key.split(".")[0] == unit)

    def seconds(self, unit: str) -> float:
        """Return the time spent in a unit ("01"), in seconds."""
        return float(self.data["seconds"].get(unit, 0.0))

    def export(self, target: Path) -> Path:
        """Write the record to a .json or .csv file (ValueError for any other ending); return its path."""
        target = Path(target)
        if target.suffix not in (".json", ".csv"):
            raise ValueError(f"Export to a file that ends in .json or .csv, not {target.name!r}.")
        text = json.dumps(self.data, indent=1) if target.suffix == ".json" else _as_csv(self.data)
        write_atomic(target, text)
        return target


def _spend(data: dict, name: str, now: float | None) -> tuple[float, float]:
    """Add the time since the unit's last activity, when the pause was short. `name` begins with the unit.

    Return what was added (seconds) and the moment (seconds since 1970).
    """
    unit, moment = name.split(".")[0].split("_")[0], time.time() if now is None else now
    gap = moment - data["activity"].get(unit, moment)
    spent = gap if 0 <= gap <= PAUSE else 0.0
    data["seconds"][unit] = data["seconds"].get(unit, 0.0) + spent
    data["activity"][unit] = moment
    return spent, moment


def stamp(now: float | None) -> str:
    """Return a moment (seconds since 1970; now without one) as the record writes it, in local time."""
    return datetime.fromtimestamp(time.time() if now is None else now).isoformat(timespec="seconds")


def _as_csv(data: dict) -> str:
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(["kind", "id", "value", "points", "attempts", "when", "seconds"])
    for key, entry in sorted(data["exercises"].items()):
        row = [entry.get("reason"), entry["points"], entry["attempts"], entry["solved"]]
        table.writerow(["exercise", key, *row, round(entry.get("seconds", 0.0), 1)])
        for reason, number in sorted(entry.get("wrong", {}).items()):
            table.writerow(["wrong", key, reason, "", number, "", ""])
    for key, entry in sorted(data["predictions"].items()):
        table.writerow(["prediction", key, entry["choice"], "", entry["changes"] + 1, entry["when"], ""])
    for key, spent in sorted(data["seconds"].items()):
        table.writerow(["seconds", key, round(spent, 1), "", "", "", ""])
    return out.getvalue()
