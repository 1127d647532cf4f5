"""benchmarks/gpu_cells.py: without a GPU nothing is recorded; what would be recorded has the agreed form."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from copy_programs import (  # noqa: F401 - the script looks for them by name, in globals()
    event_after,
    event_before,
    no_event,
    one_buffer,
    two_buffers,
    waits,
    waits_for_buffer,
)

from sharedstate import devices, paths
from sharedstate.commands import bench
from sharedstate.devices import Device
from sharedstate.faults.lesson import LessonError
from sharedstate.kvcache import SlotEngine, gpu, streams
from sharedstate.kvcache.gpu import CellFailed
from sharedstate.serving import gpu_knee

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "gpu_cells.py"
CPU, GPU = Device("cpu", "CPU", "no CUDA device"), Device("cuda", "Some GPU")


class StaleLength(SlotEngine):
    def valid_length(self, slot, layer):
        return self.cache.extent(slot, layer)


class ZeroedSlot(StaleLength):
    def on_release(self, slot):
        self.cache.clear(slot)


def names() -> dict[str, Any]:
    """What the lesson's cells define, with the same names."""
    return {key: value for key, value in globals().items() if callable(value)}


@pytest.fixture
def cells(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, with small places and a short context."""
    monkeypatch.setattr(streams, "ELEMENTS", 8)
    monkeypatch.setattr(gpu, "decode", partial(gpu.decode, context=16))
    monkeypatch.setattr(gpu_knee, "sweep", partial(gpu_knee.sweep, batches=(1, 2)))
    spec = importlib.util.spec_from_file_location("gpu_cells", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose records go to a folder of their own."""
    monkeypatch.setattr(devices, "record_path", lambda: tmp_path / "gpu_cells.json")
    return tmp_path


def without_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "pick", lambda: CPU)


@pytest.mark.skipif(devices.pick().on_gpu, reason="this machine has a GPU: the script would record for minutes")
def test_without_a_gpu_the_script_says_so_and_writes_nothing() -> None:
    before = state_of_records()
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "no GPU: nothing recorded\n", "")
    assert state_of_records() == before


def state_of_records() -> dict[str, int]:
    """Name and last change of every record beside the benchmarks."""
    return {path.name: path.stat().st_mtime_ns for path in SCRIPT.parent.glob("*.json*")}


def test_without_a_gpu_bench_says_so_too(
    cells: ModuleType, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_gpu(monkeypatch)
    assert "gpu_cells" in bench.available() and paths.root() == SCRIPT.parents[1]
    assert bench.checked("gpu_cells", cells.run()) == {"outcome": "no GPU: nothing recorded", "spread": {}}
    assert cells.main() == 0 and capsys.readouterr().out == "no GPU: nothing recorded\n"
    assert list(home.iterdir()) == []


def test_a_record_has_all_cells_and_the_agreed_form(cells: ModuleType, home: Path, slow_device: type) -> None:
    found = cells.record(CPU, names(), slow_device(backwards=True))
    assert list(found.cells) == ["decode", "pollution", "host_overwritten", "read_without_event", "paged", "knee"]
    devices.write(found)
    assert devices.read() == found
    assert found.cells["read_without_event"].figures == {
        "runs": 3, "no_event_wrong": 3, "event_before_wrong": 3, "event_after_wrong": 0
    }  # fmt: skip
    assert "one_buffer wrong in 3 of 3 runs: " in found.cells["host_overwritten"].says
    figures = bench.checked("gpu_cells", cells.flat(found))
    assert figures["decode_cached_ms"] > 0 and "decode_cached_ms" in figures["spread"]
    assert bench.table(figures)


def test_what_the_benchmark_runs_are_the_lesson_s_own_cells(cells: ModuleType, slow_device: type) -> None:
    if cells.UNIT not in paths.units():
        with pytest.raises(LessonError, match=cells.UNIT):
            cells.lesson_names()
        return
    found = cells.record(CPU, cuda=slow_device(backwards=True))
    assert list(found.cells) == ["decode", "pollution", "host_overwritten", "read_without_event", "paged", "knee"]


@pytest.mark.parametrize(("name", "other"), [("no_event", event_after), ("event_after", no_event),
                                             ("one_buffer", waits), ("waits", one_buffer)])  # fmt: skip
def test_a_bug_not_seen_or_a_fix_that_fails_stops_the_record(
    cells: ModuleType, slow_device: type, name: str, other: Any
) -> None:
    with pytest.raises(CellFailed, match="must be"):
        cells.record(CPU, {**names(), name: other}, slow_device(backwards=True))


def test_on_a_gpu_the_record_is_written_and_told(
    cells: ModuleType,
    home: Path,
    slow_device: type,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = cells.record(CPU, names(), slow_device(backwards=True))
    monkeypatch.setattr(devices, "pick", lambda: GPU)
    monkeypatch.setattr(cells, "record", lambda device: found)
    assert cells.main() == 0 and devices.read() == found
    text = capsys.readouterr().out
    assert text.startswith(found.label) and "Written to benchmarks/gpu_cells.json." in text
    assert bench.checked("gpu_cells", cells.run())["date"] == found.date


def test_a_failed_check_writes_nothing_and_ends_with_1(
    cells: ModuleType, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(device: Device) -> None:
        raise CellFailed("event_after must be right")

    monkeypatch.setattr(devices, "pick", lambda: GPU)
    monkeypatch.setattr(cells, "record", fails)
    assert cells.main() == 1 and list(home.iterdir()) == []
    assert "event_after must be right" in capsys.readouterr().err
