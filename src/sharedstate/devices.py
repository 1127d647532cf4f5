"""Where a GPU cell runs: on CUDA, or small on the CPU with the recorded GPU result beside it. Never silently."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from sharedstate import files, paths
from sharedstate.wording import folded

RECORD = "benchmarks/gpu_cells.json"
HOW = "python run.py bench gpu_cells, on a machine with a GPU, records one"
NOTHING = "no GPU: nothing recorded"
PLAIN = (int, float, str, bool)
T = TypeVar("T")


class RecordError(ValueError):
    """The recorded GPU result is damaged or not of the agreed form; the text says where."""


@dataclass(frozen=True)
class Device:
    """What a GPU cell runs on. kind: "cuda" or "cpu", for torch's `device=`; why: what is missing for CUDA."""

    kind: str
    title: str
    why: str = ""

    @property
    def on_gpu(self) -> bool:
        """Say whether this is a GPU."""
        return self.kind == "cuda"

    def size(self, cpu: T, gpu: T) -> T:
        """Return the size that fits: the small one on the CPU, the full one on a GPU."""
        return gpu if self.on_gpu else cpu

    def __str__(self) -> str:
        return self.title if self.on_gpu else f"CPU, small ({self.why})"


@dataclass(frozen=True)
class CellRecord:
    """One GPU cell as it was recorded. says: its result in words; figures: its numbers; spread: of some of them."""

    says: str
    figures: Mapping[str, Any]
    spread: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return folded(self.says)


@dataclass(frozen=True)
class Record:
    """A run of all GPU cells. date: ISO day; versions: python, torch, cuda."""

    device: str
    date: str
    versions: Mapping[str, str]
    cells: Mapping[str, CellRecord]

    @property
    def label(self) -> str:
        """One line that says where these numbers come from."""
        return f"{self.device}, {self.date}, " + ", ".join(f"{name} {text}" for name, text in self.versions.items())

    def as_dict(self) -> dict[str, Any]:
        """Return the record as plain data, the form of its file."""
        cells = {
            name: {"says": cell.says, "figures": dict(cell.figures), "spread": dict(cell.spread)}
            for name, cell in self.cells.items()
        }
        return {"device": self.device, "date": self.date, "versions": dict(self.versions), "cells": cells}


def pick() -> Device:
    """Return the device for GPU cells: the first CUDA device, else the CPU. Imports torch; prints nothing."""
    import torch

    if torch.cuda.is_available():
        return Device("cuda", torch.cuda.get_device_name(0))
    return Device("cpu", "CPU", "no CUDA device" if torch.version.cuda else "torch without CUDA")


def versions() -> dict[str, str]:
    """Return the versions that a record names. Imports torch."""
    import torch

    return {"python": sys.version.split()[0], "torch": torch.__version__, "cuda": torch.version.cuda or "none"}


def gpu_cell(*names: str) -> Device:
    """Return the device for a GPU cell, and print where it runs; on the CPU also what was recorded on a GPU.

    names: the cell's names in the record. A record that is missing or damaged is said in the same place.
    """
    device = pick()
    print(where(device, *names))
    return device


def where(device: Device, *names: str) -> str:
    """Return the lines that `gpu_cell` prints for a device."""
    if device.on_gpu:
        return f"GPU cell, on {device.title}."
    here = f"GPU cell, but no GPU here ({device.why}): it runs small on the CPU."
    return "\n".join(map(folded, [here, *dict.fromkeys(shown(name) for name in names)]))


def shown(name: str, path: Path | None = None) -> str:
    """Return a cell's recorded GPU result in words, labelled as recorded, or say that there is none."""
    try:
        record = read(path)
    except RecordError as trouble:
        return f"The recorded GPU result cannot be shown: {trouble}"
    if record is None:
        return f"No GPU result is recorded in this repository. ({HOW}.)"
    if name not in record.cells:
        return f"The GPU record ({record.label}) has no cell {name!r}. It has: {', '.join(record.cells)}."
    return f"Recorded on a GPU, not measured here ({record.label}): {record.cells[name].says}"


def summary() -> str:
    """Return what GPU cells do here without a GPU, in a few words; for `doctor`. Imports no torch."""
    try:
        record = read()
    except (RecordError, paths.CheckoutNotFound) as trouble:
        return f"their recorded result cannot be read: {trouble}"
    return f"they show what was recorded on {record.label}" if record else "no GPU result is recorded"


def record_path() -> Path:
    """Return where the record lies, or would lie."""
    return paths.root() / RECORD


def read(path: Path | None = None) -> Record | None:
    """Return the recorded GPU result, None when there is none. Raises RecordError for a damaged one."""
    place = path or record_path()
    try:
        text = place.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as problem:
        raise RecordError(f"{place.name} cannot be read ({problem}). {HOW}.") from problem
    try:
        return checked(json.loads(text))
    except json.JSONDecodeError as problem:
        raise RecordError(f"{place.name} is not JSON ({problem}). {HOW}.") from problem


def write(record: Record, path: Path | None = None) -> Path:
    """Write the record so that readers see the old one or the new one. Raises RecordError for a wrong form."""
    data = checked(record.as_dict()).as_dict()
    place = path or record_path()
    files.write_atomic(place, json.dumps(data, indent=1, allow_nan=False) + "\n")
    return place


def checked(data: object) -> Record:
    """Return plain data as a Record. Raises RecordError, which names the first field that is not right."""
    top = _fields(data, "the record", {"device": str, "date": str, "versions": dict, "cells": dict})
    _flat(top["versions"], "versions", (str,))
    if not top["cells"] or not top["versions"]:
        raise RecordError(f"cells and versions: neither may be empty. {HOW}.")
    try:
        date.fromisoformat(top["date"])
    except ValueError as problem:
        raise RecordError(f"date: {problem}. {HOW}.") from problem
    return Record(**{**top, "cells": {name: _cell(name, cell) for name, cell in top["cells"].items()}})


def _cell(name: str, data: object) -> CellRecord:
    cell = _fields(data, f"cells.{name}", {"says": str, "figures": dict, "spread": dict})
    _flat(cell["figures"], f"cells.{name}.figures", PLAIN)
    _flat(cell["spread"], f"cells.{name}.spread", PLAIN)
    strangers = sorted(set(cell["spread"]) - set(cell["figures"]))
    if strangers:
        raise RecordError(f"cells.{name}.spread: no such figure: {', '.join(strangers)}. {HOW}.")
    return CellRecord(**cell)


def _fields(data: object, place: str, kinds: Mapping[str, type]) -> dict[str, Any]:
    if not isinstance(data, dict) or set(data) != set(kinds):
        raise RecordError(f"{place}: the fields must be {', '.join(kinds)}. {HOW}.")
    wrong = [name for name, kind in kinds.items() if not isinstance(data[name], kind) or data[name] == ""]
    if wrong:
        raise RecordError(f"{place}.{wrong[0]}: must be a {kinds[wrong[0]].__name__}, and not empty. {HOW}.")
    return data


def _flat(data: Mapping[str, Any], place: str, kinds: tuple[type, ...]) -> None:
    for name, value in data.items():
        if not isinstance(value, kinds) or value != value:
            raise RecordError(f"{place}.{name}: {value!r} is not a plain value. {HOW}.")
