"""From the checkout to a folder of pages."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from sharedstate import paths
from sharedstate.site.layout import lay_out
from sharedstate.site.render import render
from sharedstate.site.vendored import put

MARK = ".sharedstate-site"  # stands in a folder that this module has made, and may therefore clear


def build(home: Path, units: Sequence[str], out: Path) -> list[str]:
    """Build the pages of these units (numbers or names; none: all that have a lesson) in `out`.

    Returns what Sphinx warned of; nothing replaces `out` then. Raises ValueError for a unit that there is not, or a
    folder that holds something else, FileNotFoundError for a lesson that is not built, NpmTrouble without Pyodide.
    """
    chosen = [paths.resolve_unit(word) for word in units] or [
        name for name, folder in paths.units().items() if (folder / "lesson.py").is_file()
    ]
    if out.exists() and not (out / MARK).is_file() and any(out.iterdir()):
        raise ValueError(f"{out} holds something else: name a folder that is empty, or not there yet.")
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / "source", Path(folder) / "html"
        lay_out(home, chosen, source, whole=not units)
        warnings = [line.replace(str(source), "") for line in render(source, made)]
        if warnings:
            return warnings
        put(home, made / "_static")
        (made / MARK).touch()
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(made, out)
    return []
