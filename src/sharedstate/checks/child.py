"""The parent's side of a check: a child process that is asked, never trusted, and always ended."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil

from .registry import Registry

LOOK = 0.25  # seconds between two looks at the child's memory
MEMORY_LIMIT = 3 * 2**30  # bytes of a child and all that it started
PROCESSES = 60  # that a child may have below it
MAX_LINE = 4_000_000
MAX_TOTAL = 40_000_000
NEW_GROUP = 0x200  # CREATE_NEW_PROCESS_GROUP, on Windows
PASSED_ON = ("PATH", "SYSTEMROOT", "SYSTEMDRIVE", "TEMP", "TMP", "TMPDIR", "LANG", "LC_ALL")
START = "import sys; sys.path.insert(0, sys.argv[1]); from sharedstate.checks.shim import main; main()"


def decode(text: str) -> object:
    """Return the data of JSON text; ValueError for anything that is not strict JSON or too deep."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


class ChildFailed(Exception):
    """The child gave no usable reply; `reason` is a slug: timeout, ended, flood, forged-reply."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class Box:
    """Where a child runs: here in a fresh folder, apart from nothing. Those of grading/boxes.py keep it apart."""

    def home(self, folder: str) -> str:
        """Return the child's folder as the child itself sees it."""
        return folder

    def command(self, folder: str, readable: Sequence[str], command: list[str]) -> list[str]:
        """Return the command that runs this command in the box. readable: the folders that it needs to read."""
        return command

    def orders(self) -> dict[str, Any]:
        """Return what the child does to itself before anything else: {"limits": {name: number}, "user": number}."""
        return {}


class Child:
    """One child process. Use it in a `with`: the end kills it and all that it started."""

    def __init__(self, registry: Registry, extra_path: tuple[str, ...] = (), box: Box | None = None) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="sharedstate-check-", ignore_cleanup_errors=True)
        box, folder = box or Box(), self.folder.name
        orders = box.orders()
        if orders.get("user"):
            os.chown(folder, orders["user"], orders["user"])
        told = json.dumps({"course": str(registry.course), "path": list(extra_path), **orders})
        package = str(Path(__file__).resolve().parents[2])
        command = [sys.executable, "-I", "-X", "utf8", "-c", START, package, told]
        posix = os.name == "posix"
        self.process: subprocess.Popen[bytes] = subprocess.Popen(
            box.command(folder, (package, str(registry.course), *extra_path), command),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=folder, env=_environment(box.home(folder)),
            start_new_session=posix, creationflags=0 if posix else NEW_GROUP)
        assert self.process.stdin is not None and self.process.stdout is not None
        self._requests, self._replies = self.process.stdin, self.process.stdout
        self.lines: queue.SimpleQueue[bytes | ChildFailed] = queue.SimpleQueue()
        self._received = 0  # bytes since the last request
        self._outgoing: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        for name, work in (("grader-reader", self._read), ("grader-writer", self._write)):
            threading.Thread(target=work, name=name, daemon=True).start()

    def ask(self, seconds: float, **request: object) -> dict:
        """Send one request with a fresh nonce and return the reply; ChildFailed when none is usable."""
        if not self.lines.empty():
            self._next(0.1)
            raise ChildFailed("forged-reply", "The notebook's code wrote on the grader's pipe unasked.")
        nonce = secrets.token_hex(16)
        data = json.dumps({"nonce": nonce, **request}).encode() + b"\n"
        self._received = 0
        self._outgoing.put(data)
        reply = self._next(seconds)
        try:
            found = decode(reply.decode())
        except ValueError:
            found = None
        if type(found) is not dict or found.get("nonce") != nonce:
            raise ChildFailed("forged-reply", "The notebook's code wrote on the grader's pipe.")
        return found

    def run_cells(
        self, cells: Mapping[int, str], seconds: float, until: float
    ) -> tuple[dict[int, str], tuple[int, ChildFailed] | None]:
        """Execute numbered cells in order, each in at most so many seconds, all of them until a time (monotonic).

        Returns what was raised in which, and where and how it ended before the last one, if it did.
        """
        raised: dict[int, str] = {}
        for number, source in cells.items():
            try:
                reply = self.ask(max(0.0, min(seconds, until - time.monotonic())), do="cell", source=source)
            except ChildFailed as failure:
                return raised, (number, failure)
            if reply.get("error"):
                raised[number] = str(reply["error"])
        return raised, None

    def _next(self, seconds: float) -> bytes:
        line, end = None, time.monotonic() + seconds
        while line is None:
            try:
                line = self.lines.get(timeout=min(LOOK, max(0.001, end - time.monotonic())))
            except queue.Empty:
                self._require_modest()
                if time.monotonic() >= end:
                    said = f"No answer within {seconds:.3g} s: a loop or a lock without end?"
                    raise ChildFailed("timeout", said) from None
        if isinstance(line, ChildFailed):
            raise line
        return line

    def _require_modest(self) -> None:
        """Raise ChildFailed when the child and what it started are more than an honest one needs.

        reasons: "too-much-memory", "too-many-processes".
        """
        held, below = 0, list[psutil.Process]()
        with contextlib.suppress(psutil.Error):
            whole = psutil.Process(self.process.pid)
            below = whole.children(recursive=True)
            held = whole.memory_info().rss
        for one in below[:PROCESSES]:
            with contextlib.suppress(psutil.Error):
                held += one.memory_info().rss
        if len(below) > PROCESSES:
            raise ChildFailed("too-many-processes", f"It started more than {PROCESSES} processes and was ended.")
        if held > MEMORY_LIMIT:
            most = f"{MEMORY_LIMIT / 2**30:.2g} GB"
            said = f"It took more than {most} of memory and was ended. Does a list grow without end?"
            raise ChildFailed("too-much-memory", said)

    def _read(self) -> None:
        """Pass lines on until the pipe ends, or more comes than an honest child sends."""
        with contextlib.suppress(OSError, ValueError):
            while line := self._replies.readline(MAX_LINE + 1):
                self._received += len(line)
                if len(line) > MAX_LINE or self._received > MAX_TOTAL:
                    self.lines.put(ChildFailed("flood", "The notebook's process sent far too much."))
                    return
                self.lines.put(line)
        self.lines.put(ChildFailed("ended", "The notebook's process ended by itself (os._exit, or a crash)."))

    def _write(self) -> None:
        """Send what is to be sent, until the child is closed: a child that does not read must not hold its judge."""
        with contextlib.suppress(OSError, ValueError):
            while data := self._outgoing.get():
                self._requests.write(data)
                self._requests.flush()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the child, its descendants and its group, also after a normal exit; remove its folder."""
        self._outgoing.put(b"")
        kill_tree(self.process)
        self.folder.cleanup()


def kill_tree(process: subprocess.Popen[bytes]) -> None:
    """End a process, its group, and every descendant that can still be found."""
    with contextlib.suppress(psutil.Error):
        for descendant in psutil.Process(process.pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                descendant.kill()
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        process.kill()
    process.wait(timeout=10)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def _environment(home: str) -> dict[str, str]:
    """A small environment: no secrets of the grader's, and a home folder that goes away."""
    kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    places = ("HOME", "USERPROFILE", "IPYTHONDIR", "MPLCONFIGDIR", "SHAREDSTATE_MY_LABS")
    folders = dict.fromkeys(places, home)
    return {**kept, **folders, "MPLBACKEND": "agg"}
