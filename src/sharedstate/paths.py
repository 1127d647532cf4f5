"""Where the checkout, the course and the learner's own files lie."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

LANGUAGES = ("", "zh-CN")  # a folder inside the unit and inside each built folder; "" is English
PREFIXES: Mapping[str, str] = MappingProxyType({"lesson": "", "lab": "lab_", "solution": "solution_"})


class CheckoutNotFound(RuntimeError):
    """No checkout of the course around the package or the working directory."""


def root() -> Path:
    """Return the checkout's top folder: SHAREDSTATE_HOME, else around the package, else around the cwd."""
    named = os.environ.get("SHAREDSTATE_HOME")
    around = (Path(__file__).resolve().parents[2], Path.cwd(), *Path.cwd().parents)
    starts = (Path(named),) if named else around
    for start in starts:
        if (start / "course").is_dir() and (start / "pyproject.toml").is_file():
            return start
    raise CheckoutNotFound(
        "The course's folder was not found. Run the command inside the checkout, "
        "or set SHAREDSTATE_HOME to the folder that holds course/."
    )


def my_labs() -> Path:
    """Return the learner's folder, ignored by git (SHAREDSTATE_MY_LABS moves it); it may not exist yet."""
    named = os.environ.get("SHAREDSTATE_MY_LABS")
    return Path(named) if named else root() / "my-labs"


def course() -> Path:
    """Return course/: SHAREDSTATE_HOME's if that is set, else the one shipped inside the package, else the checkout's.

    Only a package built for installation (a wheel) holds one; in a checkout course/ stands beside src/.
    """
    shipped = Path(__file__).resolve().parent / "course"
    return shipped if shipped.is_dir() and not os.environ.get("SHAREDSTATE_HOME") else root() / "course"


def units() -> dict[str, Path]:
    """Return {unit name: folder} for every unit present in course/, in order."""
    return {p.name: p for p in sorted(course().iterdir()) if p.is_dir() and p.name[:2].isdigit()}


def notebook_name(unit: str, kind: str) -> str:
    """Return the file name of a unit's notebook, for example lab_01_passcode_race.ipynb.

    kind: lesson, lab or solution. No two of them have one name, so two open tabs never look the same.
    """
    return f"{PREFIXES[kind]}{unit}.ipynb"


def resolve_unit(word: str) -> str:
    """Turn '01', '1' or '01_passcode_race' into the unit's full name.

    Raises ValueError, which lists the units there are, when nothing or more than one matches.
    """
    names = list(units())
    wanted = word.strip().rstrip("/")
    hits = [n for n in names if n == wanted or (wanted.isdigit() and n[:2] == wanted.zfill(2))]
    if len(hits) != 1:
        raise ValueError(f"No unit {word!r} here. Units: {', '.join(names)}.")
    return hits[0]
