"""The device helper: it says where a cell runs, shows a record as recorded, and never makes a number up."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sharedstate import devices
from sharedstate.devices import CellRecord, Device, Record, RecordError

RECORD = Record(
    device="Some GPU", date="2026-11-01", versions={"python": "3.11.7", "torch": "2.13.0", "cuda": "13.0"},
    cells={"decode": CellRecord("a cached step takes 2 ms", {"cached_ms": 2.0, "checked": True}, {"cached_ms": 0.1})},
)  # fmt: skip


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout without a record."""
    (tmp_path / "course").mkdir()
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setenv("SHAREDSTATE_HOME", str(tmp_path))
    return tmp_path


def cuda(monkeypatch: pytest.MonkeyPatch, there: bool, built: str | None = "13.0") -> None:
    """Let torch claim to have a GPU, or none."""
    monkeypatch.setattr("torch.cuda.is_available", lambda: there)
    monkeypatch.setattr("torch.cuda.get_device_name", lambda index: "Some GPU")
    monkeypatch.setattr("torch.version.cuda", built)


def test_on_cuda_the_devices_name_is_printed(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cuda(monkeypatch, True)
    devices.write(RECORD)
    device = devices.gpu_cell("decode")
    assert capsys.readouterr().out == "GPU cell, on Some GPU.\n"
    assert (device.kind, device.on_gpu, device.size(cpu=1, gpu=2)) == ("cuda", True, 2)


@pytest.mark.parametrize(("built", "why"), [("13.0", "no CUDA device"), (None, "torch without CUDA")])
def test_without_a_gpu_it_says_so_and_that_nothing_is_recorded(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], built: str | None, why: str
) -> None:
    cuda(monkeypatch, False, built)
    device = devices.gpu_cell("decode")
    first, *rest = capsys.readouterr().out.splitlines()
    assert why in first and "small on the CPU" in first
    assert " ".join(rest).startswith("No GPU result is recorded in this repository.")
    assert (device.kind, device.on_gpu, device.size(cpu=1, gpu=2)) == ("cpu", False, 1)
    assert list((home / "benchmarks").iterdir()) == []


def test_without_a_gpu_a_record_is_shown_and_labelled(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cuda(monkeypatch, False)
    devices.write(RECORD)
    devices.gpu_cell("decode")
    line = " ".join(capsys.readouterr().out.splitlines()[1:])
    assert line == ("Recorded on a GPU, not measured here (Some GPU, 2026-11-01, python 3.11.7, torch 2.13.0, "
                    "cuda 13.0): a cached step takes 2 ms")  # fmt: skip


def test_several_names_are_shown_one_after_the_other_and_a_missing_record_once(home: Path) -> None:
    assert devices.where(Device("cpu", "CPU", "x"), "decode", "decode_2").count("No GPU result") == 1
    devices.write(RECORD)
    said = devices.where(Device("cpu", "CPU", "x"), "decode", "decode_2")
    assert said.count("Recorded on a GPU") == 1 and said.count("has no cell") == 1


def test_a_cell_that_the_record_lacks_is_said(home: Path) -> None:
    devices.write(RECORD)
    assert "no cell 'paged'" in devices.shown("paged") and "decode" in devices.shown("paged")


@pytest.mark.parametrize("text", ["{", "[]", "null", '{"device": "x"}', "\udcff"])
def test_a_damaged_record_is_said_and_stops_no_lesson(home: Path, text: str) -> None:
    (home / devices.RECORD).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(RecordError, match="bench gpu_cells"):
        devices.read()
    assert devices.shown("decode").startswith("The recorded GPU result cannot be shown")
    assert "cannot be read" in devices.summary()


def test_what_is_written_is_what_is_read(home: Path) -> None:
    assert devices.read() is None
    assert devices.write(RECORD) == home / devices.RECORD
    assert devices.read() == RECORD
    assert [path.name for path in (home / "benchmarks").iterdir()] == ["gpu_cells.json"]
    assert devices.summary() == f"they show what was recorded on {RECORD.label}"


WRONG = (
    (("device",), ""), (("device",), 3), (("date",), None), (("date",), "yesterday"), (("versions",), {}),
    (("versions", "torch"), 2.13), (("cells",), {}),
    (("cells", "decode"), []), (("cells", "decode", "says"), ""), (("cells", "decode", "figures"), [1]),
    (("cells", "decode", "figures", "cached_ms"), [1.0]), (("cells", "decode", "figures", "cached_ms"), float("nan")),
    (("cells", "decode", "spread", "uncached_ms"), 1.0), (("extra",), 1), (("cells", "decode", "extra"), 1),
)  # fmt: skip


@pytest.mark.parametrize(("place", "value"), WRONG)
def test_a_record_of_another_form_is_refused(place: tuple[str, ...], value: Any) -> None:
    data = copy.deepcopy(RECORD.as_dict())
    inner = data
    for word in place[:-1]:
        inner = inner[word]
    inner[place[-1]] = value
    with pytest.raises(RecordError):
        devices.checked(data)


def test_a_wrong_record_does_not_replace_a_right_one(home: Path) -> None:
    devices.write(RECORD)
    before = (home / devices.RECORD).read_bytes()
    with pytest.raises(RecordError):
        devices.write(Record("", "2026-11-02", {}, {}))
    assert (home / devices.RECORD).read_bytes() == before


def test_the_repository_s_record_is_of_the_agreed_form_if_there_is_one() -> None:
    record = devices.read()
    assert record is None or json.loads(devices.record_path().read_text(encoding="utf-8")) == record.as_dict()


def test_a_device_in_words() -> None:
    assert str(Device("cuda", "Some GPU")) == "Some GPU"
    assert str(Device("cpu", "CPU", "no CUDA device")) == "CPU, small (no CUDA device)"


def test_the_helper_loads_torch_only_when_asked() -> None:
    code = "import sys\nfrom sharedstate import devices\ndevices.summary()\nprint('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
