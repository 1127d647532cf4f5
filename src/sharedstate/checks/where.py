"""Point to the learner's own line: "Cell [3], line 7"."""

from __future__ import annotations

import linecache
import sys
import sysconfig
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from .. import paths
from .shown import PSEUDO

PACKAGE = str(Path(__file__).resolve().parents[1])
LIBRARIES = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def _course() -> str:
    """Return the folder course/ as text; what no file name begins with where there is none."""
    try:
        return str(paths.course())
    except paths.CheckoutNotFound:
        return "\0"


COURSE = _course()


def learner_file(filename: str) -> bool:
    """True for a file or cell that is neither the course's nor Python's nor an installed library's."""
    if filename.startswith("<ipython-input"):
        return True
    if filename.startswith(("<frozen", PSEUDO)) or filename == "<string>":
        return False
    return not filename.startswith((PACKAGE, COURSE, *LIBRARIES))


def place(filename: str, line: int) -> str:
    """Return "Cell [3], line 7" or "file.py, line 7"."""
    shell = _shell()
    named = shell.compile.format_code_name(filename) if shell else None
    if named:
        return f"{named[0]} {named[1].removeprefix('In')}, line {line}"
    return f"{Path(filename).name}, line {line}"


def _shell() -> Any:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell if hasattr(getattr(shell, "compile", None), "format_code_name") else None


def of_traceback(trace: TracebackType | None) -> str | None:
    """Return the innermost learner's line of a traceback, with its source; None when there is none."""
    found = None
    while trace is not None:
        if learner_file(trace.tb_frame.f_code.co_filename):
            found = _with_source(trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    return found


def of_frame(frame: FrameType | None) -> str | None:
    """Return the innermost learner's line of a running frame, with its source; None when there is none."""
    while frame is not None:
        if learner_file(frame.f_code.co_filename):
            return _with_source(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return None


def _with_source(filename: str, line: int) -> str:
    source = linecache.getline(filename, line).strip()
    return place(filename, line) + (f": {source}" if source else "")
