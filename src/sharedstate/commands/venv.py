"""What is known of .venv: which pins and extras it holds, and whether it can be used. Standard library only.

run.py imports this before anything is installed.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from sharedstate.files import write_atomic

WHO = "import sys, pip; print(sys.version_info[0], sys.version_info[1], sys.prefix)"


def venv_python(venv: Path) -> Path:
    """Return where the interpreter of a virtual environment lies on this system."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def pins(root: Path) -> str:
    """Return a hash of the two files that decide what is installed."""
    digest = hashlib.sha256()
    for name in ("pyproject.toml", "requirements.lock"):
        digest.update((root / name).read_bytes())
    return digest.hexdigest()


def python_kind() -> str:
    """Return what must be equal for an environment to be usable: version, free-threaded or not, machine."""
    free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    return f"{sys.version_info[0]}.{sys.version_info[1]}{free} {platform.machine()}"


def read_stamp(venv: Path) -> dict[str, Any]:
    """Return the stamp that the last installation left, or {} when there is none that can be read."""
    try:
        stamp = json.loads((venv / "course-stamp.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(venv: Path, entries: dict[str, Any]) -> None:
    """Write the stamp in one piece, so that an interrupted write leaves the old one."""
    write_atomic(venv / "course-stamp.json", json.dumps(entries))


def ready(root: Path, stamp: dict[str, Any], extras: tuple[str, ...]) -> bool:
    """Say whether nothing has to be installed."""
    return (
        stamp.get("state") == "done"
        and stamp.get("pins") == pins(root)
        and set(extras) <= set(stamp.get("extras", ()))
        and not why_unusable(root / ".venv", stamp)
    )


def why_unusable(venv: Path, stamp: dict[str, Any]) -> str:
    """Return why this .venv must be made anew, or '' when it can be used or added to."""
    if not venv_python(venv).exists():
        return ".venv has no working Python (the one it was made from may be gone)"
    if stamp.get("state") == "installing":
        return "the last installation did not finish"
    if stamp and stamp.get("venv") != str(venv):
        return ".venv was copied or moved here from another folder"
    if stamp and stamp.get("python") != python_kind():
        return f".venv belongs to Python {stamp.get('python')}, and this is {python_kind()}"
    if not stamp:
        return foreign(venv)
    home = re.search(r"^home *= *(.+)$", _config(venv), re.M)
    return "" if home and Path(home.group(1).strip()).is_dir() else "the Python that .venv was made from is gone"


def foreign(venv: Path) -> str:
    """Ask the interpreter of an unstamped .venv who it is: return what is wrong with it, or ''."""
    try:
        done = subprocess.run(
            [str(venv_python(venv)), "-I", "-c", WHO],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return "the Python in .venv does not start"
    major, minor, prefix = [*done.stdout.strip().split(" ", 2), "", "", ""][:3]
    if done.returncode or not prefix or Path(prefix).resolve() != venv.resolve():
        return "the Python in .venv does not work"
    if (major, minor) != (str(sys.version_info[0]), str(sys.version_info[1])):
        return f".venv belongs to Python {major}.{minor}"
    return ""


def _config(venv: Path) -> str:
    """Return the text of pyvenv.cfg, or ''."""
    try:
        return (venv / "pyvenv.cfg").read_text(encoding="utf-8")
    except OSError:
        return ""
