"""The command line: what each word calls, what it prints, its exit code, and errors in words."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

import sharedstate
from sharedstate.checks.notebook import NotebookReport
from sharedstate.cli import WORDS, cli
from sharedstate.commands import bench, build, faults, learner
from sharedstate.progress import Progress


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a checkout of one unit, with the learner's folder inside."""
    (tmp_path / "course" / "01_passcode_race").mkdir(parents=True)
    (tmp_path / "course" / "01_passcode_race" / "lab.py").write_text("")
    (tmp_path / "labs").mkdir()
    (tmp_path / "labs" / "lab_01_passcode_race.ipynb").write_text('{"cells": []}')
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.setenv("SHAREDSTATE_HOME", str(tmp_path))
    monkeypatch.delenv("SHAREDSTATE_MY_LABS", raising=False)
    return tmp_path


def run(*words: str) -> Result:
    """Run the command line in this process; an unforeseen exception fails the test."""
    result = CliRunner().invoke(cli, list(words), prog_name="sharedstate")
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


# --- start-up


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom sharedstate.cli import cli\n"
        "cli(['--help'], standalone_mode=False)\n"
        "print('HEAVY', sorted({n.split('.')[0] for n in sys.modules} & {'torch', 'matplotlib', 'numpy', "
        "'nbformat', 'ipywidgets', 'IPython', 'jupyter_client', 'psutil', 'yaml'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "HEAVY []" in done.stdout
    for word in ("bench", "build", "check", "doctor", "faults", "progress", "reset", "start"):
        assert f"  {word} " in done.stdout


def test_help_says_of_each_word_what_the_word_says_itself() -> None:
    for word, (_, line) in WORDS.items():
        assert cli.get_command(None, word).name == word
        assert (cli.get_command(None, word).help or "").splitlines()[0] == line


def test_python_m_sharedstate_is_the_same_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sharedstate", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"sharedstate {sharedstate.__version__}\n"


# --- build


@pytest.mark.parametrize(("found", "code"), [([], 0), (["labs/x: differs\n    build it"], 1)])
def test_build_hands_on_units_and_check_and_fails_on_problems(
    monkeypatch: pytest.MonkeyPatch, found: list[str], code: int
) -> None:
    asked = []
    monkeypatch.setattr(build.authoring, "build", lambda *a: asked.append(a) or found)
    result = run("build", "--check", "01")
    assert asked == [(("01",), True)] and result.exit_code == code
    assert all(line in result.output for line in found)


def test_a_source_that_cannot_be_built_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise build.authoring.AuthoringError("lesson.py, line 3: no cell")

    monkeypatch.setattr(build.authoring, "build", fail)
    result = run("build")
    assert result.exit_code == 1 and result.output == "Error: lesson.py, line 3: no cell\n"


def test_a_missing_extra_names_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise ModuleNotFoundError("No module named 'jupytext'", name="jupytext")

    monkeypatch.setattr(build.authoring, "build", fail)
    result = run("build")
    assert result.exit_code == 1 and "`python run.py build` installs" in result.output


def test_a_missing_module_of_our_own_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise ModuleNotFoundError("No module named 'sharedstate.x'", name="sharedstate.x")

    monkeypatch.setattr(build.authoring, "build", fail)
    with pytest.raises(ModuleNotFoundError):
        run("build")


# --- faults and check


def fault_report(**changes: Any) -> SimpleNamespace:
    """Return a report like the fault table's."""
    fields = {"name": "board", "unit": "01", "oracle": "o", "runs": 3, "shown": 3, "control_clean": True,
              "fix_clean": True, "seconds": 0.25, **changes}  # fmt: skip
    ok = fields["shown"] == fields["runs"] and fields["control_clean"] and fields["fix_clean"]
    return SimpleNamespace(**fields, trouble="" if ok else "KeyError: 'x'", ok=ok, to_json=lambda: fields)


@pytest.mark.parametrize(
    ("changes", "code"),
    [({}, 0), ({"shown": 2}, 1), ({"control_clean": False}, 1), ({"fix_clean": False}, 1)],
)
def test_faults_prints_a_row_each_and_fails_on_a_bad_one(
    monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], code: int
) -> None:
    asked = []
    report = fault_report(**changes)
    monkeypatch.setattr(faults, "walk", lambda *a: asked.append(a) or [report])
    text = run("faults", "board", "--runs", "3")
    assert asked == [(("board",), 3, None)] and text.exit_code == code
    assert f"{report.shown}/3" in text.output and ("KeyError" in text.output) == (code == 1)
    plain = run("faults", "--unit", "01", "--json")
    assert json.loads(plain.output) == [report.to_json()] and plain.exit_code == code


def test_a_wrong_number_of_runs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "walk", lambda *a: [])
    assert run("faults", "--runs", "0").exit_code == 2


@pytest.mark.parametrize(("ok", "code"), [(True, 0), (False, 1)])
def test_check_judges_each_notebook(monkeypatch: pytest.MonkeyPatch, ok: bool, code: int) -> None:
    asked = []

    class Report(NotebookReport):
        """A notebook's report, right or not."""

        @property
        def ok(self) -> bool:
            return ok

        def __str__(self) -> str:
            return "7 points"

        def to_json(self) -> dict[str, Any]:
            return {"ok": ok}

    def check_notebook(path: Path, isolated: bool) -> Report:
        asked.append((path.name, isolated))
        return Report(path.name, "01", isolated, 0.1, ())

    monkeypatch.setattr(learner, "check_notebook", check_notebook)
    result = run("check", "a.ipynb", "b.ipynb", "--isolated")
    assert asked == [("a.ipynb", True), ("b.ipynb", True)] and result.exit_code == code
    assert result.output == "7 points\n7 points\n"
    assert json.loads(run("check", "a.ipynb", "--json").output) == [{"ok": ok}]


def test_check_without_a_notebook_is_refused() -> None:
    assert run("check").exit_code == 2


def test_check_of_a_file_that_is_none_is_said_in_words(home: Path) -> None:
    result = run("check", str(home / "none.ipynb"))
    assert result.exit_code == 1 and "none.ipynb" in result.output and "Traceback" not in result.output


# --- start, reset, progress


def test_start_copies_once_and_reset_keeps_the_old_copy(home: Path) -> None:
    first = run("start", "1")
    copy = home / "my-labs" / "lab_01_passcode_race.ipynb"
    assert first.exit_code == 0 and str(copy) in first.output
    copy.write_text("my work")
    run("start", "01")
    assert copy.read_text() == "my work"
    result = run("reset", "01")
    (kept,) = (home / "my-labs" / "backups").iterdir()
    assert kept.read_text() == "my work" and kept.name in result.output
    assert copy.read_text() != "my work"


@pytest.mark.parametrize("word", ["start", "reset", "build"])
def test_an_unknown_unit_is_said_with_the_ones_there_are(home: Path, word: str) -> None:
    result = run(word, "77")
    assert result.exit_code == 1
    assert result.output.startswith("Error: No unit '77' here. Units: 01_passcode_race.")


def test_progress_shows_points_and_exports(home: Path) -> None:
    Progress.load().record_attempt("01.1", True, 5.0, "ok")
    shown = run("progress")
    assert shown.exit_code == 0 and "01_passcode_race" in shown.output and "5/" in shown.output
    assert run("progress", "--export", str(home / "p.json")).exit_code == 0
    assert "01.1" in json.loads((home / "p.json").read_text())["exercises"]
    refused = run("progress", "--export", str(home / "p.docx"))
    assert refused.exit_code == 1 and ".json or .csv" in refused.output


# --- bench


def benchmark(home: Path, body: str) -> None:
    """Write a benchmark called `one`."""
    (home / "benchmarks" / "one.py").write_text(f'"""What one costs."""\n{body}\n')


def test_bench_lists_and_runs(home: Path) -> None:
    benchmark(home, "def run(): return {'one_ms': 1.25, 'rounds': 3, 'spread': {'one_ms': 0.5}}")
    assert "What one costs." in run("bench").output
    assert json.loads(run("bench", "--json").output) == {"one": "What one costs."}
    assert json.loads(run("bench", "one", "--json").output)["spread"] == {"one_ms": 0.5}
    assert "1.25  ± 0.5" in run("bench", "one").output


def test_bench_refuses_a_name_that_there_is_not(home: Path) -> None:
    benchmark(home, "def run(): return {}")
    result = run("bench", "two")
    assert result.exit_code == 1 and "There are: one." in result.output


@pytest.mark.parametrize(
    "figures",
    [
        "{'a': 1}",
        "[1]",
        "{'a': {'b': 1}, 'spread': {}}",
        "{'a': [1], 'spread': {}}",
        "{'a': 1, 'spread': {'b': 1}}",
    ],
)
def test_bench_refuses_figures_that_are_not_flat(home: Path, figures: str) -> None:
    benchmark(home, f"def run(): return {figures}")
    with pytest.raises(bench.BenchmarkError, match="benchmarks/one"):
        bench.run("one")
    assert run("bench", "one").exit_code == 1


def test_the_startup_benchmark_gives_ratios(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHAREDSTATE_HOME", raising=False)
    assert "startup" in bench.available()
    script = Path(__file__).resolve().parents[2] / "benchmarks" / "startup.py"
    code = f"import runpy; print(runpy.run_path({str(script)!r})['run'](rounds=2))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    figures = bench.checked("startup", eval(done.stdout, {"__builtins__": {}}))
    assert figures["help_over_bare"] > 1 and set(figures["spread"]) <= set(figures)


def test_outside_a_checkout_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHAREDSTATE_HOME", str(tmp_path))
    result = run("bench")
    assert result.exit_code == 1 and "SHAREDSTATE_HOME" in result.output
