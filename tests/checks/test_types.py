"""Types: the checks and the files beside the exercises are clean under mypy, as the modules they are loaded as."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from sharedstate.checks import Registry
from sharedstate.checks.registry import COURSE

PACKAGE = Path(__file__).resolve().parents[2] / "src"
OPTIONS = ("--check-untyped-defs", "--ignore-missing-imports", "--follow-imports=silent", "--no-error-summary")


def lay_out(place: Path) -> None:
    """Copy every check.py, and what exercises of a unit share, to where its module's name says."""
    registry = Registry()
    for room in [room for unit in registry.units() for room in registry.rooms(unit)]:
        folder = place / COURSE / f"u{room.unit}"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(room.folder / "check.py", folder / f"e{room.folder.name}.py")
        for shared in room.folder.parent.glob("*.py"):
            shutil.copy(shared, folder / shared.name)
    for folder in [place / COURSE, *(place / COURSE).iterdir()]:
        (folder / "__init__.py").touch()


def test_mypy_is_content_with_the_checks(tmp_path: Path) -> None:
    lay_out(tmp_path)
    command = [sys.executable, "-m", "mypy", *OPTIONS, "--cache-dir", tmp_path / "cache", COURSE,
               PACKAGE / "sharedstate" / "checks"]
    env = {**os.environ, "MYPYPATH": str(PACKAGE)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
