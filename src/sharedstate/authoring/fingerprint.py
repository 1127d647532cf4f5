"""The hash that decides whether a stored output is still the output of what stands in the checkout."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from sharedstate.authoring.imports import reachable
from sharedstate.authoring.source import python_of

LOCK = "requirements.lock"


def fingerprint(book: Any, home: Path) -> str:
    """Return 32 hexadecimal digits over the notebook's sources, the modules it can import, a lab's checks, the lock."""
    digest = hashlib.sha256()
    for cell in book.cells:
        _feed(digest, cell.cell_type, cell.source.encode())
    for path in (*modules(book, home), home / LOCK):
        content = path.read_bytes() if path.is_file() else b""
        _feed(digest, path.relative_to(home).as_posix(), content.replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:32]


def modules(book: Any, home: Path) -> tuple[Path, ...]:
    """Return the files of src/sharedstate that the notebook's code cells (they are Python) can reach.

    A solved lab calls its unit's checks, so it reaches them and what they import.
    """
    cells = [python_of(cell.source) for cell in book.cells if cell.cell_type == "code"]
    called = _checks(book, home)
    texts = [path.read_text(encoding="utf-8") for path in called]
    return (*reachable("\n".join([*cells, *texts]), home / "src"), *called)


def _checks(book: Any, home: Path) -> tuple[Path, ...]:
    """Return the files that judge a solved lab: each exercise's check.py, and what its unit's exercises share."""
    about = book.metadata.get("sharedstate", {})
    if about.get("kind") != "solution":
        return ()
    rooms = home / "course" / about["unit"] / "exercises"
    return tuple(sorted([*rooms.glob("*/check.py"), *rooms.glob("*.py")]))


def _feed(digest: Any, name: str, content: bytes) -> None:
    """Add one named part; lengths keep two parts from running into each other."""
    digest.update(f"{name}\0{len(content)}\0".encode())
    digest.update(content)
