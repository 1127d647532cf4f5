"""What is installed: pip's troubles in words, and what a Python of one's own must hold."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from sharedstate.commands import install, tests, venv
from sharedstate.commands.install import Stop

HOME = Path(__file__).resolve().parents[2]


# --- pip's troubles in words


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder that stands for the checkout."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for name in ("pyproject.toml", "requirements.lock"):
        shutil.copy(HOME / name, folder / name)
    return folder


@pytest.fixture
def real_pip(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], None]:
    """Return a function that runs install.pip on a program that prints a text and exits with a code."""
    module = tmp_path / "shadow" / "pip"
    module.mkdir(parents=True)
    (module / "__init__.py").write_text("")
    (module / "__main__.py").write_text(
        "import os, sys\nprint(os.environ['SAY'])\nprint('ARGS', *sys.argv[1:])\n"
        "print('CACHE', os.environ['PIP_CACHE_DIR'], os.environ['TMPDIR'])\n"
        "sys.exit(int(os.environ['CODE']))\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(module.parent))
    monkeypatch.setattr(venv, "venv_python", lambda folder: Path(sys.executable))

    def go(text: str, code: int) -> None:
        monkeypatch.setenv("SAY", text)
        monkeypatch.setenv("CODE", str(code))
        install.pip(root, ["install", "-e", "."])

    return go


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
            "disk is full",
        ),
        ("Retrying (Retry(total=0)) after: 'NewConnectionError(...)'", "no network"),
        (
            "Failed to establish a new connection: [Errno -3] Temporary failure in name resolution",
            "no network",
        ),
        ("ERROR: No matching distribution found for torch==2.13.0", "No matching distribution"),
    ],
)
def test_pip_failures_are_explained(
    real_pip: Callable[[str, int], None], text: str, said: str
) -> None:
    with pytest.raises(Stop, match=said):
        real_pip(text, 1)


def test_pip_success_is_quiet_about_warnings(root: Path, real_pip: Callable[[str, int], None]) -> None:
    (root / ".run" / "pip" / "tmp").mkdir(parents=True)
    (root / ".run" / "pip" / "tmp" / "left").write_text("by an interrupted call")
    real_pip("Retrying (Retry(total=4)) after connection broken by 'NewConnectionError'", 0)
    assert not list((root / ".run" / "pip" / "tmp").iterdir())
    log = (root / ".run" / "pip.log").read_text()
    assert "ARGS install --disable-pip-version-check --no-input --progress-bar off -e ." in log
    cache = next(line for line in log.splitlines() if line.startswith("CACHE")).split()[1:]
    assert all(Path(place).is_relative_to(root) for place in cache)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("  Downloading torch-2.13.0-cp311-cp311-x.whl (526.6 MB)\n", "downloading torch 2.13.0 (526.6 MB)"),
        ("  Downloading click-8.5.1-py3-none-any.whl.metadata (2.6 kB)\n", ""),
        ("Installing collected packages: a, b, c\n", "installing 3 packages"),
        ("Collecting click==8.5.1\n", ""),
    ],
)
def test_what_is_shown_of_pips_lines(line: str, shown: str) -> None:
    assert install.worth_showing(line) == shown


# --- conda


def test_no_venv_names_what_is_missing_and_both_remedies(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = install.version
    assert install.check_current(root, ()) == Path(sys.executable)

    def without_torch(name: str) -> str:
        if name == "torch":
            raise PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(install, "version", without_torch)
    with pytest.raises(Stop, match="lacks: torch") as stop:
        install.check_current(root, ("test",))
    assert "conda env create -f environment.yml" in str(stop.value) and '".[test]"' in str(stop.value)


def test_no_venv_says_when_versions_differ(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(install, "version", lambda name: "0.0.1+cpu")
    install.check_current(root, ())
    assert "numpy 0.0.1 (pinned: 2.4.6)" in capsys.readouterr().out


def test_a_python_without_the_course_is_told(root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bare = tmp_path / "python"
    bare.write_text("#!/bin/sh\nexit 1\n")
    bare.chmod(0o755)
    monkeypatch.setattr(install.sys, "executable", str(bare))
    with pytest.raises(Stop, match="lacks: sharedstate"):
        install.check_current(root, ())


# -- `run.py test`: two parts, one sum, the right exit code; and one run of pytest where that is asked for.


PYTHON = Path("python")


class Calls:
    """Stands for pytest: one answer a call, (exit code, outcomes)."""

    def __init__(self, *answers: tuple[int, dict[str, int]]) -> None:
        self.answers, self.seen = list(answers), []

    def __call__(self, command: list[str]) -> int:
        self.seen.append(command)
        code, counts = self.answers.pop(0)
        if "--tally" in command:
            Path(command[command.index("--tally") + 1]).write_text(json.dumps(counts))
        return code


def test_what_may_run_side_by_side_comes_first_then_what_must_be_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).resolve().parents[2])
    calls = Calls((0, {"passed": 5000, "skipped": 1}), (0, {"passed": 10}), (0, {"passed": 2}))
    assert tests.run(PYTHON, ["-k", "x"], calls) == 0
    assert [command[command.index("--part") + 1] for command in calls.seen] == ["together", "browser", "alone"]
    first, second, third = calls.seen
    assert first[first.index("-n") + 1] == second[second.index("-n") + 1] == "2" and "-n" not in third
    assert "tests/browser" in second and not {"tests/browser", "tests/passcodes/test_measure.py"} & {*first}
    assert "tests/passcodes/test_measure.py" in third and "tests/browser" not in third
    assert all(command[:3] == ["python", "-m", "pytest"] and command[-2:] == ["-k", "x"] for command in calls.seen)
    assert all("--durations=10" in command for command in calls.seen)
    assert " 5012 passed, 1 skipped in 0:00 " in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(
    ("codes", "code"),
    [((0, 0, 0), 0), ((1, 0, 0), 1), ((0, 0, 1), 1), ((5, 0, 5), 0), ((0, 5, 5), 0), ((5, 5, 5), 5), ((5, 1, 0), 1),
     ((1, 3), 1)],
)  # fmt: skip
def test_the_exit_code_is_that_of_all(codes: tuple[int, int], code: int) -> None:
    assert tests.run(PYTHON, [], Calls(*((one, {}) for one in codes))) == code


@pytest.mark.parametrize(("answer", "words"), [(1, ["-x"]), (1, ["--maxfail=3"]), (2, []), (3, []), (4, ["--bad"])])
def test_after_an_end_before_time_the_second_part_is_left_out(answer: int, words: list[str]) -> None:
    calls = Calls((answer, {"failed": 1}))
    assert tests.run(PYTHON, words, calls) == answer and len(calls.seen) == 1


@pytest.mark.parametrize("words", [["--collect-only"], ["-n", "0"], ["--help"], ["--pdb", "-k", "x"]])
def test_a_call_for_one_run_of_pytest_gets_it_as_it_is(words: list[str]) -> None:
    calls = Calls((0, {}))
    assert tests.run(PYTHON, words, calls) == 0
    assert calls.seen == [["python", "-m", "pytest", *words]]


def test_where_places_are_named_only_they_are_collected() -> None:
    calls = Calls((0, {}), (0, {}), (0, {}))
    tests.run(PYTHON, [f"{__file__}::test_x"], calls)
    assert not any("tests/browser" in command for command in calls.seen)


def test_a_part_that_broke_off_without_a_tally_counts_by_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    def killed(command: list[str]) -> int:
        return 137

    call: Callable[[list[str]], int] = killed
    assert tests.run(PYTHON, [], call) == 137
    assert "no tests ran" in capsys.readouterr().out
