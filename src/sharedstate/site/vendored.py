"""Python for the reader's browser: Pyodide from npm, and the course's modules that run there, as one archive."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

from sharedstate.commands import npm

PART = "site"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
# What the worker imports, and what a box of a lesson may: these folders, and the modules beside them.
PACKAGES = ("game", "interleave", "isolation", "panels", "site")
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # an archive is the same whenever it is made


def put(home: Path, static: Path) -> None:
    """Put Pyodide and the archive of modules into the built site's folder `static`.

    Raises NpmTrouble where Pyodide is not there and cannot be had.
    """
    modules = npm.install(PART, home) / "pyodide"
    (static / "pyodide").mkdir(parents=True, exist_ok=True)
    for name in PYODIDE:
        shutil.copyfile(modules / name, static / "pyodide" / name)
    archive(home / "src", static / "sharedstate.zip")


def archive(sources: Path, target: Path) -> None:
    """Write the modules that run in a browser into an archive. sources: the folder that holds sharedstate/."""
    home = sources / "sharedstate"
    files = sorted([*home.glob("*.py"), *(path for name in PACKAGES for path in (home / name).rglob("*.py"))])
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in files:
            entry = zipfile.ZipInfo(path.relative_to(sources).as_posix(), LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, path.read_bytes())
