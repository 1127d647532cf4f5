"""What is installed: pip's troubles in words, and what a Python of one's own must hold."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from sharedstate.commands import install, venv
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
