"""A room that is really open: `sharedstate hub` in a process of its own, and what belongs to it on this machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

HOME = Path(__file__).resolve().parents[2]
OPENED = "Stop it with Ctrl-C."


@dataclass(frozen=True)
class OpenRoom:
    """A running hub: its address, its password, its folder, and what it said."""

    folder: Path
    url: str
    password: str
    said: str
    seconds: float

    def home(self, name: str) -> Path:
        """The folder of one learner."""
        return self.folder / "learners" / name

    def processes(self, name: str = "") -> list[psutil.Process]:
        """Return the processes of one learner, or of all."""
        wanted, found = str(self.home(name)) if name else str(self.folder / "learners"), []
        for process in psutil.process_iter():
            try:
                home = process.environ().get("HOME", "")
            except (psutil.Error, OSError):
                continue
            if home == wanted or (not name and home.startswith(wanted + os.sep)):
                found.append(process)
        return found

    def memory(self, name: str) -> float:
        """Return the memory of a learner's processes in MiB; what several processes share counts in parts (PSS)."""
        whole = 0
        for process in self.processes(name):
            about = process.memory_full_info()
            whole += getattr(about, "pss", about.rss)
        return whole / (1 << 20)

    def server_process(self, name: str) -> psutil.Process:
        """Return the process of a learner's server."""
        return next(one for one in self.processes(name) if "jupyterhub.singleuser" in " ".join(one.cmdline()))


def free_port() -> int:
    """Return a port of the loopback address that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def open_room(folder: Path, *options: str) -> Iterator[OpenRoom]:
    """Open a room on the loopback address and close it as Ctrl-C does; RuntimeError when it does not open."""
    command = [sys.executable, "-m", "sharedstate", "hub", "--folder", str(folder), "--port", str(free_port())]
    command += options
    environment = {**os.environ, "SHAREDSTATE_HOME": str(HOME)}
    environment.pop("SHAREDSTATE_MY_LABS", None)
    began, lines = time.monotonic(), []
    hub = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    try:
        for line in hub.stdout or ():
            lines.append(line)
            if line.strip() == OPENED:
                break
        else:
            raise RuntimeError("the room did not open:\n" + "".join(lines))
        said = "".join(lines)
        url = next(word for word in said.split() if word.startswith("http://"))
        password = said.split("password: ")[1].split()[0]
        yield OpenRoom(folder, url, password, said, time.monotonic() - began)
    finally:
        hub.send_signal(signal.SIGTERM)
        try:
            hub.communicate(timeout=90)
        except subprocess.TimeoutExpired:
            hub.kill()
            hub.communicate()
