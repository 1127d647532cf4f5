"""The two tiers of tests, the rule about skips, and what README says of all that."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sharedstate import syllabus
from sharedstate.cli import WORDS
from tests.conftest import group_of

HOME = Path(__file__).resolve().parents[1]
README = (HOME / "README.md").read_text(encoding="utf-8")
SUITE = """
import pytest

def test_plain(): ...

@pytest.mark.exhaustive
def test_large(exhaustive): assert exhaustive
"""


def pytest_run(folder: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run pytest on one file beside a copy of this conftest."""
    shutil.copy(HOME / "tests" / "conftest.py", folder / "conftest.py")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    exhaustive: large\n")
    (folder / "test_it.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    quick = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=quick)


@pytest.mark.parametrize(
    ("options", "closing"),
    [((), "1 passed, 1 deselected"), (("--exhaustive",), "2 passed"),
     (("--exhaustive", "-m", "exhaustive"), "1 passed, 1 deselected")],
)  # fmt: skip
def test_the_exhaustive_tests_run_when_asked(tmp_path: Path, options: tuple[str, ...], closing: str) -> None:
    assert closing in pytest_run(tmp_path, SUITE, *options).stdout


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("import pytest\ndef test_a(): pytest.skip('no browser: apt install chromium')", 1),
        ("import pytest\npytest.skip('later', allow_module_level=True)", 1),
        ("import pytest\ndef test_a(): pytest.skip('needs a GPU')", 0),
        ("import pytest\n@pytest.mark.skipif(True, reason='needs Python 3.12')\ndef test_a(): ...", 0),
        ("import pytest\n@pytest.mark.xfail\ndef test_a(): assert 0", 0),
    ],
)
def test_an_unexplained_skip_fails_the_run(tmp_path: Path, text: str, code: int) -> None:
    text += "\ndef test_other(): ...\n" if "module_level" not in text else "\n"
    done = pytest_run(tmp_path, text, "--no-unexplained-skips")
    assert done.returncode == code, done.stdout
    assert ("UNEXPLAINED SKIP" in done.stdout) == (code == 1)


PARTS = """
import pytest

def test_first(): ...

def test_second(): ...

@pytest.mark.timing
def test_timed(): ...
"""


@pytest.mark.parametrize(
    ("options", "closing"),
    [((), "3 passed"), (("--part", "together"), "2 passed, 1 deselected"),
     (("--part", "alone"), "1 passed, 2 deselected"), (("--quick",), "1 passed, 2 deselected")],
)  # fmt: skip
def test_a_part_holds_what_the_other_does_not(tmp_path: Path, options: tuple[str, ...], closing: str) -> None:
    assert closing in pytest_run(tmp_path, PARTS, *options).stdout


def test_the_outcomes_are_left_for_the_sum_and_the_progress_is_said(tmp_path: Path) -> None:
    tests = ("def test_a(): time.sleep(0.2)", "def test_b(): assert 0", "def test_c(): pytest.skip('x')")
    (tmp_path / "tests").mkdir()
    shutil.copy(HOME / "tests" / "conftest.py", tmp_path / "tests" / "conftest.py")
    conftest = (tmp_path / "tests" / "conftest.py").read_text(encoding="utf-8").replace("EVERY = 15.0", "EVERY = 0.1")
    (tmp_path / "tests" / "conftest.py").write_text(conftest, encoding="utf-8")
    (tmp_path / "tests" / "test_it.py").write_text("import pytest, time\n" + "\n".join(tests), encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    exhaustive: large\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tally", "tally.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert json.loads((tmp_path / "tally.json").read_text()) == {"passed": 1, "failed": 1, "skipped": 1}
    assert re.search(r"^ 33 % · 1 of 3 tests · 0:00 so far, about 0:00 to go$", done.stdout, re.M), done.stdout
    assert list(json.loads((tmp_path / ".run" / "test-times.json").read_text())) == ["tests/test_it.py"]


@pytest.mark.parametrize(
    ("test", "group"),
    [
        ("tests/test_wording.py::test_a[02.6]", "tests/test_wording.py"),
        ("tests/test_bank.py::test_an_honest_bank", "tests/test_bank.py"),
        ("tests/test_bank.py::test_right[02.6]", "tests/test_bank.py 02"),
        ("tests/notebooks/test_notebooks.py::test_a[notebooks/02_x.ipynb]", "tests/notebooks/test_notebooks.py 02"),
        ("tests/notebooks/test_notebooks.py::test_b[labs/lab_02_x.ipynb]", "tests/notebooks/test_notebooks.py 02"),
    ],
)
def test_a_worker_takes_a_file_or_a_unit_of_it_as_a_whole(test: str, group: str) -> None:
    assert group_of(test) == group


def collected_anew() -> frozenset[str]:
    """Return the files of which --quick takes something, as a run of its own says."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--quick"]
    done = subprocess.run(command, cwd=HOME, capture_output=True, text=True)
    return frozenset(line.split("::")[0] for line in done.stdout.splitlines() if "::" in line)


def test_quick_touches_every_kind_of_test(chosen_quickly: frozenset[str]) -> None:
    files = {path.relative_to(HOME).as_posix() for path in (HOME / "tests").rglob("test_*.py")}
    beside = {file for file in files if file.startswith(("tests/browser/", "tests/interleave/examples/"))}
    chosen = chosen_quickly if files - beside <= chosen_quickly else collected_anew()  # only a run of all sees all
    assert files - beside <= chosen and len(chosen & beside) == 1


def test_ci_runs_what_readme_says() -> None:
    script = HOME / ".ci" / "run"
    text = script.read_text(encoding="utf-8")
    assert "python run.py test " in README
    assert "python3 run.py test --no-unexplained-skips\n" in text
    assert "python3 run.py test --no-unexplained-skips --exhaustive -m exhaustive\n" in text
    assert os.name == "nt" or os.access(script, os.X_OK)


def test_every_command_is_in_readme_and_every_one_in_readme_exists() -> None:
    named = set(re.findall(r"run\.py (\w+)|\| (\w+) UNIT", README))
    words = {word for pair in named for word in pair if word}
    assert words == {*WORDS, "lab", "test", "bundle"}


def test_every_entry_of_the_root_stands_in_readme_in_one_line() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=HOME, capture_output=True, text=True, check=True).stdout
    entries = {name.split("/")[0] + "/" * ("/" in name) for name in tracked.splitlines()}
    table = README.split("| here | what it is |")[1].split("\n\n")[0]
    named = [name for row in re.findall(r"^\| (`[^|]*) \|", table, re.M) for name in re.findall(r"`([^`]+)`", row)]
    assert sorted(named) == sorted({*entries, "my-labs/"})


def test_the_units_of_the_course_stand_in_readme_with_their_minutes() -> None:
    rows = re.findall(r"^\| (\d\d) .*\| (\d+) min \| (\d+ min|-) \|$", README, re.M)
    given = [(unit.number, str(unit.minutes), f"{unit.lab_minutes} min" if unit.exercises else "-")
             for unit in syllabus.units()]
    assert rows == given
