"""The doctor: each lack is found, has a remedy, and only what stops the course gives exit code 1."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from sharedstate import devices, paths
from sharedstate.cli import cli
from sharedstate.commands import doctor
from sharedstate.commands.doctor import Finding

HOME = Path(__file__).resolve().parents[2]


# --- the report


def test_only_a_problem_stops_the_course() -> None:
    fine = [Finding("a", "ok", "x"), Finding("b", "note", "x"), Finding("c", "warning", "x", "do this")]
    assert doctor.healthy(fine) and "The course works here. See the warnings." in doctor.report(fine)
    broken = [*fine, Finding("d", "problem", "gone", "install d")]
    assert not doctor.healthy(broken)
    assert "-> install d" in doctor.report(broken) and "1 problem(s)" in doctor.report(broken)


@pytest.mark.parametrize(("state", "code"), [("warning", 0), ("problem", 1)])
def test_exit_code_and_json(monkeypatch: pytest.MonkeyPatch, state: str, code: int) -> None:
    asked = []
    findings = [Finding("x", state, "here", "do this")]
    monkeypatch.setattr(doctor, "examine", lambda quick: asked.append(quick) or findings)
    result = CliRunner().invoke(cli, ["doctor", "--json", "--quick"])
    assert asked == [True] and result.exit_code == code
    told = json.loads(result.output)
    assert told == {"ok": code == 0, "findings": [findings[0].as_dict()]}
    assert CliRunner().invoke(cli, ["doctor"]).exit_code == code


def test_quick_looks_at_everything_but_starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    names = [finding.name for finding in doctor.examine(quick=True)]
    assert names[:5] == ["Python", "GIL", "machine", "folder", "packages"]
    assert names[5:] == ["extras", "widgets", "browser", "grading", "npm", "kernel", "torch"]


def test_quick_imports_no_torch() -> None:
    code = (
        "import sys\nfrom sharedstate.commands import doctor\ndoctor.examine(quick=True)\n"
        "print(sorted({'torch', 'numpy', 'matplotlib', 'nbformat', 'jupyter_client'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_full_examination_starts_a_kernel_and_loads_torch() -> None:
    findings = {finding.name: finding for finding in doctor.examine()}
    assert findings["kernel"].state == "ok", findings["kernel"]
    assert findings["torch"].state == "ok", findings["torch"]
    assert "GPU cells" in findings["GPU"].found


# --- each check


@pytest.mark.parametrize(
    ("version", "state"),
    [((3, 10, 9), "problem"), ((3, 11, 0), "ok"), ((3, 14, 2), "ok"), ((3, 15, 0), "warning")],
)
def test_python(version: tuple[int, ...], state: str) -> None:
    finding = doctor.python(version)
    assert finding.state == state and bool(finding.remedy) == (state != "ok")


def test_another_implementation_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.platform, "python_implementation", lambda: "PyPy")
    assert doctor.python().state == "problem"


@pytest.mark.parametrize(("on", "state"), [(True, "ok"), (False, "note")])
def test_gil(monkeypatch: pytest.MonkeyPatch, on: bool, state: str) -> None:
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: on, raising=False)
    assert doctor.gil().state == state


@pytest.mark.parametrize(("gib", "state"), [(0.5, "warning"), (8, "ok")])
def test_memory(monkeypatch: pytest.MonkeyPatch, gib: float, state: str) -> None:
    memory = SimpleNamespace(total=16 * doctor.GIB, available=gib * doctor.GIB)
    monkeypatch.setattr("psutil.virtual_memory", lambda: memory)
    finding = doctor.machine()
    assert finding.state == state and "cores" in finding.found


@pytest.mark.parametrize(("gib", "state"), [(0.5, "warning"), (50, "ok")])
def test_disk(monkeypatch: pytest.MonkeyPatch, gib: float, state: str) -> None:
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda place: SimpleNamespace(free=gib * doctor.GIB))
    assert doctor.disk().state == state


def test_a_folder_that_cannot_be_written_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.os, "access", lambda place, mode: False)
    finding = doctor.disk()
    assert finding.state == "problem" and "folder of your own" in finding.remedy


def test_no_checkout_is_a_problem_with_its_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SHAREDSTATE_HOME", str(tmp_path))
    finding = doctor.disk()
    assert finding.state == "problem" and "SHAREDSTATE_HOME" in finding.remedy


def test_versions_are_held_to_the_lock() -> None:
    assert doctor.versions().state == "ok"
    lock = (HOME / "requirements.lock").read_text(encoding="utf-8")
    wrong = doctor.versions(lock.replace("numpy==2.4.6", "numpy==2.4.5"))
    assert wrong.state == "warning" and "numpy 2.4.6 (pinned: 2.4.5)" in wrong.found
    assert "pip install -c requirements.lock" in wrong.remedy


def test_a_missing_package_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    real = doctor.installed
    monkeypatch.setattr(doctor, "installed", lambda name: "" if name == "torch" else real(name))
    finding = doctor.versions()
    assert finding.state == "problem" and finding.found == "not installed: torch" and finding.remedy


def test_a_local_version_counts_as_its_pin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "version", lambda name: "2.13.0+cu130")
    assert doctor.installed("torch") == "2.13.0"


def test_extras_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = doctor.installed
    monkeypatch.setattr(doctor, "installed", lambda name: "" if name == "frontrun" else real(name))
    assert "test yes" in doctor.extras().found and "peers no" in doctor.extras().found


# --- widgets


def widget_places(monkeypatch: pytest.MonkeyPatch, folder: Path, there: bool, page: str = "") -> None:
    """Make jupyter_core see one folder of extensions and one of settings."""
    extension = folder / "labextensions" / "@jupyter-widgets" / "jupyterlab-manager"
    if there:
        extension.mkdir(parents=True)
        (extension / "package.json").write_text("{}")
    (folder / "labconfig").mkdir(parents=True)
    (folder / "labconfig" / "page_config.json").write_text(page)
    monkeypatch.setattr("jupyter_core.paths.jupyter_path", lambda *parts: [str(folder / "labextensions")])
    monkeypatch.setattr("jupyter_core.paths.jupyter_config_path", lambda: [str(folder)])


OFF = '{"disabledExtensions": {"@jupyter-widgets/jupyterlab-manager": true}}'
ON = '{"disabledExtensions": {"@jupyter-widgets/jupyterlab-manager": false, "other": true}}'
AS_LIST = '{"disabledExtensions": ["@jupyter-widgets/jupyterlab-manager"]}'


@pytest.mark.parametrize(
    ("there", "page", "state"),
    [(True, "", "ok"), (True, ON, "ok"), (True, "[1", "ok"), (True, "[]", "ok"),
     (True, OFF, "problem"), (True, AS_LIST, "problem"), (False, "", "problem")],
)  # fmt: skip
def test_widgets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, there: bool, page: str, state: str) -> None:
    widget_places(monkeypatch, tmp_path, there, page)
    finding = doctor.widgets()
    assert finding.state == state and bool(finding.remedy) == (state == "problem")


# --- what keeps submissions apart


@pytest.mark.parametrize(("found", "state"), [("/usr/bin/bwrap", "ok"), (None, "note")])
def test_what_keeps_submissions_apart_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, found: str | None, state: str
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: found)
    finding = doctor.grading()
    assert finding.state == state and ("apt install bubblewrap" in finding.remedy) is (found is None)


# --- npm


def test_without_node_the_words_that_need_it_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)
    finding = doctor.npm_parts()
    assert finding.state == "note" and "no node and no npm" in finding.found
    assert "apt install nodejs npm" in finding.remedy
    monkeypatch.setattr(doctor.shutil, "which", lambda name: f"/bin/{name}")
    assert doctor.npm_parts().state == "ok" and re.search(r"hub (yes|no)", doctor.npm_parts().found)


# --- browser


def test_browser_is_found_by_name_or_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHAREDSTATE_BROWSER", "/opt/browser")
    assert doctor.find_browser() == "/opt/browser"
    monkeypatch.delenv("SHAREDSTATE_BROWSER")
    monkeypatch.setattr(
        doctor.shutil, "which", lambda name: "/bin/chrome" if name == "google-chrome" else None
    )
    assert doctor.find_browser() == "/bin/chrome" and doctor.browser().state == "ok"


def test_no_browser_is_a_warning_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHAREDSTATE_BROWSER", raising=False)
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)
    monkeypatch.setattr(doctor, "BROWSER_PLACES", ())
    finding = doctor.browser()
    assert finding.state == "warning" and "apt install chromium" in finding.remedy


# --- the probes


def test_a_probe_that_hangs_is_ended() -> None:
    began = time.monotonic()
    probe = doctor.Probe("import time; time.sleep(600)", patience=0.2)
    assert "no answer within 0.2 s" in probe.answer()["failed"]
    assert time.monotonic() - began < 60 and probe._process.returncode is not None


@pytest.mark.parametrize(
    ("code", "said"),
    [("import not_there", "No module named 'not_there'"), ("print('x')", "exit code 0"), ("", "exit code 0")],
)
def test_a_probe_that_fails_says_why(code: str, said: str) -> None:
    assert said in doctor.Probe(code).answer()["failed"]


def test_a_probe_leaves_no_file_behind() -> None:
    probe = doctor.Probe("import os, json; print(json.dumps({'at': os.environ['JUPYTER_RUNTIME_DIR']}))")
    assert not os.path.exists(probe.answer()["at"])


@pytest.mark.parametrize(
    ("answer", "state"),
    [({"status": "ok", "seconds": 1.0}, "ok"), ({"failed": "no kernel"}, "problem"),
     ({"status": "error", "error": "No module", "seconds": 1.0}, "problem")],
)  # fmt: skip
def test_kernel(answer: dict[str, Any], state: str) -> None:
    finding = doctor.kernel(answer)
    assert finding.state == state and bool(finding.remedy) == (state == "problem")


@pytest.mark.parametrize(
    ("cuda", "built", "state", "said"),
    [("H200", "13.0", "ok", "GPU cells run there"), ("", "13.0", "note", "no CUDA device"),
     ("", "", "note", "torch without CUDA")],
)  # fmt: skip
def test_what_gpu_cells_will_do(cuda: str, built: str, state: str, said: str) -> None:
    package, device = doctor.torch({"version": "2.13.0", "threads": 2, "cuda": cuda, "built": built})
    assert package.state == "ok" and device.state == state and said in device.found


def test_without_a_gpu_the_recorded_result_is_named_or_missed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(devices, "record_path", lambda: tmp_path / "gpu_cells.json")
    answer = {"version": "2.13.0", "threads": 2, "cuda": "", "built": ""}
    assert doctor.torch(answer)[1].found.endswith("say so; no GPU result is recorded")
    cell = devices.CellRecord("fast", {"ms": 1.0})
    devices.write(devices.Record("Some GPU", "2026-11-01", {"torch": "2.13.0"}, {"decode": cell}))
    assert "recorded on Some GPU, 2026-11-01, torch 2.13.0" in doctor.torch(answer)[1].found


def test_torch_that_cannot_be_imported_is_a_problem() -> None:
    (finding,) = doctor.torch({"failed": "libcudart.so: not found"})
    assert finding.state == "problem" and "pip install" in finding.remedy


def test_the_course_is_found_from_its_package() -> None:
    assert paths.root() == HOME
