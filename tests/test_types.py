"""mypy is content with the package, and with the files beside the exercises as the modules that they are loaded as."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from sharedstate.checks import Registry
from sharedstate.checks.registry import COURSE

HOME = Path(__file__).resolve().parents[1]
SECONDS = 600


def lay_out(place: Path) -> Path:
    """Copy every check.py, and what exercises of a unit share, to where its module's name says; return the package."""
    registry = Registry()
    for room in [room for unit in registry.units() for room in registry.rooms(unit)]:
        folder = place / COURSE / f"u{room.unit}"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(room.folder / "check.py", folder / f"e{room.folder.name}.py")
        for shared in room.folder.parent.glob("*.py"):
            shutil.copy(shared, folder / shared.name)
    for folder in [place / COURSE, *(place / COURSE).iterdir()]:
        (folder / "__init__.py").touch()
    return place / COURSE


def mypy(*places: Path) -> subprocess.CompletedProcess[str]:
    """Run mypy on these places with the options of pyproject.toml, and its cache."""
    command = [sys.executable, "-m", "mypy", *map(str, places)]
    env = {**os.environ, "MYPYPATH": str(HOME / "src")}
    return subprocess.run(command, cwd=HOME, env=env, capture_output=True, text=True, timeout=SECONDS)


def test_mypy_sees_what_is_wrong_in_a_check(tmp_path: Path) -> None:
    package = lay_out(tmp_path)
    wrong = next(package.glob("u*/e*.py"))
    wrong.write_text(wrong.read_text(encoding="utf-8") + "\n\nEXERCISE.seconds = 'long'\n", encoding="utf-8")
    done = mypy(wrong)
    assert done.returncode == 1 and f"{wrong.name}" in done.stdout


def test_mypy_is_content_with_the_package_and_the_checks(tmp_path: Path) -> None:
    done = mypy(HOME / "src" / "sharedstate", lay_out(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
