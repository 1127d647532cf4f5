"""Files that several kernels share: a lock between processes, a write that is never half done."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCK_PATIENCE = 10.0  # seconds


class FileBusy(RuntimeError):
    """Another program holds the file for too long."""


@contextlib.contextmanager
def file_lock(path: Path, patience: float = LOCK_PATIENCE) -> Iterator[None]:
    """Hold an inter-process lock on `path` (made when missing); FileBusy after `patience` seconds.

    The system drops the lock when its process ends, so a crash never leaves one behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a+b") as handle:
        end = time.monotonic() + patience
        while not _try_lock(handle):
            if time.monotonic() > end:
                raise FileBusy(f"{path.name} is held by another program; close it and try again.")
            time.sleep(0.02)
        try:
            yield
        finally:
            _unlock(handle)


def _try_lock(handle: io.BufferedRandom) -> bool:
    try:
        if sys.platform == "win32":
            handle.seek(0)
            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _unlock(handle: io.BufferedRandom) -> None:
    if sys.platform == "win32":
        handle.seek(0)
        msvcrt.locking(handle.fileno(), msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(handle, fcntl.LOCK_UN)


def write_atomic(path: Path, text: str) -> None:
    """Write a file so that readers see the old text or the new one, never half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def free_name(path: Path) -> Path:
    """Return the path, or the first of path-2, path-3, … that does not exist yet."""
    number, free = 2, path
    while free.exists():
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
    return free
