"""The hash that decides whether a stored output is still the output of what stands in the checkout."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from sharedstate.authoring.documents import Document
from sharedstate.authoring.imports import reachable
from sharedstate.authoring.problem import AuthoringError

LOCK = "requirements.lock"


def fingerprint(document: Document, book: Any, home: Path) -> str:
    """Return 32 hexadecimal digits over the notebook's sources, the modules it can import, and the lock file.

    Raises AuthoringError when a code cell is not Python.
    """
    digest = hashlib.sha256()
    for cell in book.cells:
        _feed(digest, cell.cell_type, cell.source.encode())
    for path in (*modules(document, book, home), home / LOCK):
        content = path.read_bytes() if path.is_file() else b""
        _feed(digest, path.relative_to(home).as_posix(), content.replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:32]


def modules(document: Document, book: Any, home: Path) -> tuple[Path, ...]:
    """Return the files of src/sharedstate that the notebook's code cells can reach."""
    try:
        return reachable(python_of(book), home / "src")
    except SyntaxError as error:
        raise AuthoringError(f"{document.source.name}: a code cell is not Python: {error}") from error


def python_of(book: Any) -> str:
    """Return the code cells as one Python text; lines that only IPython understands become comments."""
    cells = (cell.source for cell in book.cells if cell.cell_type == "code")
    lines = "\n".join(cells).split("\n")
    return "\n".join("# " + line if line.lstrip().startswith(("%", "!", "?")) else line for line in lines)


def _feed(digest: Any, name: str, content: bytes) -> None:
    """Add one named part; lengths keep two parts from running into each other."""
    digest.update(f"{name}\0{len(content)}\0".encode())
    digest.update(content)
