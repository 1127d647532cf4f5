"""Differences between a stored notebook and what its source, the package and the lock ask for."""

from __future__ import annotations

import difflib
import json
from typing import Any

from sharedstate.authoring.documents import Document
from sharedstate.authoring.execute import Execution
from sharedstate.authoring.outputs import stable_text
from sharedstate.authoring.source import AuthoringError, Problem

FIELDS = ("cell_type", "source", "id", "metadata")


def load(document: Document) -> Any | None:
    """Return the stored notebook as nbformat reads it, None when there is none.

    Raises AuthoringError when the file is no notebook.
    """
    import nbformat

    if not document.target.is_file():
        return None
    try:
        return nbformat.reads(document.target.read_text(encoding="utf-8"), as_version=nbformat.NO_CONVERT)
    except (ValueError, json.JSONDecodeError, AttributeError, KeyError) as error:
        raise AuthoringError(f"the built file is damaged ({error}); delete it and build again") from error


def differences(document: Document, stored: Any | None, wanted: Any) -> list[Problem]:
    """Compare sources, ids, metadata, hash and the shape of outputs; the text of outputs is not looked at."""
    if stored is None:
        return [_problem(document, "not built yet")]
    found = _cells(stored, wanted)
    if not found:
        found = _about_metadata(stored, wanted) + _about_outputs(document, stored)
    return [_problem(document, what) for what in found]


def stable_differences(document: Document, stored: Any | None, fresh: Any) -> list[Problem]:
    """Compare the text of cells tagged `stable` with a fresh execution; other cells may vary."""
    if stored is None or len(stored.cells) != len(fresh.cells):
        return []
    found = []
    for number, (old, new) in enumerate(zip(stored.cells, fresh.cells, strict=True), 1):
        if "stable" in new.metadata.get("tags", ()) and old.cell_type == new.cell_type == "code":
            before, after = stable_text(old), stable_text(new)
            if before != after:
                changed = _diff(before, after)
                found.append(f"{_named(number, new)} is tagged stable and gave another text now:\n{changed}")
    return [_problem(document, what, "If the new text is right: ") for what in found]


def fault_problem(document: Document, done: Execution) -> Problem:
    """Say which cell failed, with the end of its traceback."""
    fault = done.fault
    assert fault is not None
    where = _named(fault.position + 1, done.book.cells[fault.position])
    what = f"{where} fails when executed: {fault.ename}: {fault.evalue}"
    return Problem(document.name, what, f"Correct course/{document.unit}/{document.source.name}, "
                   "or tag the cell raises-exception if the error is meant.")


def source_problem(document: Document, error: AuthoringError) -> Problem:
    """Say what is wrong with a source (or a damaged target)."""
    return Problem(document.name, str(error), f"Correct it, then: python run.py build {document.unit}")


def _problem(document: Document, what: str, before: str = "") -> Problem:
    """Return a problem whose remedy is to build the unit again."""
    return Problem(document.name, what, f"{before}python run.py build {document.unit} "
                   f"(edit course/{document.unit}/{document.source.name}, never the built notebook)")


def _cells(stored: Any, wanted: Any) -> list[str]:
    """Name every cell that differs; after a change in the number of cells only the first."""
    found = []
    for number, (old, new) in enumerate(zip(stored.cells, wanted.cells, strict=False), 1):
        differing = [field for field in FIELDS if old.get(field) != new.get(field)]
        if differing:
            found.append(f"{_named(number, new)} differs from its source in {', '.join(differing)}")
    if len(stored.cells) != len(wanted.cells):
        return [*found[:1], f"{len(stored.cells)} cells stored, the source has {len(wanted.cells)}"]
    return found


def _about_metadata(stored: Any, wanted: Any) -> list[str]:
    """Compare the notebook's metadata; an old hash gets its own words."""
    if (stored.nbformat, stored.nbformat_minor) != (wanted.nbformat, wanted.nbformat_minor):
        return ["the file's notebook format is another one"]
    if stored.metadata == wanted.metadata:
        return []
    old, new = (dict(book.metadata.get("sharedstate", {})) for book in (stored, wanted))
    if old.pop("hash", None) != new.pop("hash", None) and old == new:
        return ["its outputs are older than its source, the modules it imports, or the lock file"]
    return ["the notebook's metadata differ"]


def _about_outputs(document: Document, stored: Any) -> list[str]:
    """Lessons and solutions ran in order and kept their outputs; labs carry none."""
    code = [cell for cell in stored.cells if cell.cell_type == "code"]
    if not document.executed:
        full = any(cell.outputs or cell.execution_count for cell in code)
        return ["a lab must not carry outputs"] if full else []
    counts = [cell.execution_count for cell in code if cell.source.strip()]
    return [] if counts == list(range(1, len(counts) + 1)) else ["its cells were not executed in order"]


def _named(number: int, cell: Any) -> str:
    """Return 'cell 7 ("first line")', numbered from 1 as a reader counts."""
    line = next((line.strip() for line in cell.source.split("\n") if line.strip()), "")
    return f'cell {number} ("{line[:60]}")'


def _diff(before: str, after: str, limit: int = 12) -> str:
    """Return the first lines of a diff, stored against fresh."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "stored", "now", lineterm="", n=0)
    return "\n".join(f"      {line}" for line in list(lines)[:limit])
