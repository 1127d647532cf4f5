"""Where a submission runs, apart from the machine and from its neighbours: as far as this system can do it.

bubblewrap: nothing of the machine but Python and the course can be seen, nothing outside can be written, there is no
network, and no other process can be reached. unshare: no network and no other process, another user's number; files
that everybody may read can be read. Else limits only. A report says which of them it was.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sharedstate import paths
from sharedstate.checks.child import MEMORY_LIMIT, PROCESSES, Box

INSIDE = "/home/learner"
FOLDER_BYTES = 64 * 2**20
FIRST_USER, USERS = 1_000_000, 1_000_000_000
LIMITS: Mapping[str, int] = MappingProxyType({
    "cpu": 240, "data": MEMORY_LIMIT, "fsize": FOLDER_BYTES, "core": 0, "nofile": 512})
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts",
          "/etc/alternatives", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf")
PROBE = ("import sys; sys.path.insert(0, sys.argv[1]); import sharedstate.checks.shim as s; s.obey({}); "
         "import unicodedata; print('alive')")  # the last import shows that the other user can read Python, too
PROBE_SECONDS = 60.0


class Limited(Box):
    """Limits on time, memory, files and open files; another user's number where this one may choose it."""

    name = "limits only"
    holds = ("A submission can read and write what the grading user can, use the network, and disturb other processes: "
             "this is no protection against hostile code.")

    def __init__(self, another_user: bool) -> None:
        self.user = FIRST_USER + secrets.randbelow(USERS) if another_user else 0

    def orders(self) -> dict[str, Any]:
        """Return limits, and the user's number where it is another one; the number of processes counts by user."""
        own = {"nproc": PROCESSES + 40} if self.user else {}
        return {"limits": {**LIMITS, **own}, "user": self.user}

    @property
    def key(self) -> str:
        """Return a short name, by which `keyed` finds a box of this kind again."""
        return f"{self.name}{', another user' if self.user else ''}"

    def described(self) -> str:
        """Return what this box keeps apart, in words."""
        return f"{self.key}. {self.holds}"


class Unshared(Limited):
    """No network, and no other process to be seen. For root only, who becomes another user inside."""

    name = "unshare"
    holds = ("A submission has no network and sees no other process. It can read every file that any user of this "
             "machine may read, and write where any user may.")

    def command(self, folder: str, readable: Sequence[str], command: list[str]) -> list[str]:
        """Put the command into new namespaces; they end with it."""
        return ["unshare", "--net", "--pid", "--ipc", "--fork", "--kill-child", "--mount-proc", *command]


class Bubblewrap(Limited):
    """An empty file system with Python and the course in it, read-only, and a small folder that goes away."""

    name = "bubblewrap"
    holds = ("A submission sees Python and the course, read-only, and a folder of its own that goes away; it has no "
             "network and sees no other process.")

    def home(self, folder: str) -> str:
        """The folder lies in memory, and has no place outside."""
        return INSIDE

    def command(self, folder: str, readable: Sequence[str], command: list[str]) -> list[str]:
        """Wrap the command. Parents of what is shown must be open to the other user."""
        shown = [*SYSTEM, sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parent), *readable]
        kept = [place for place in dict.fromkeys(shown) if os.path.exists(place)]
        parents = dict.fromkeys(str(up) for place in kept for up in reversed(Path(place).parents) if str(up) != "/")
        made = [word for up in parents for word in ("--perms", "0755", "--dir", up)]
        small = [word for place in (INSIDE, "/tmp", "/dev/shm")
                 for word in ("--perms", "0777", "--size", str(FOLDER_BYTES), "--tmpfs", place)]
        return ["bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
                "--die-with-parent", "--new-session", "--hostname", "grading",
                "--proc", "/proc", "--dev", "/dev", *small, *made,
                *(word for place in kept for word in ("--ro-bind", place, place)),
                "--chdir", INSIDE, "--", *command]


def candidates() -> list[Limited]:
    """Return the boxes that may work here, the strongest first."""
    found: list[Limited] = []
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if shutil.which("bwrap"):
        found.append(Bubblewrap(root))
    if root and shutil.which("unshare"):
        found.append(Unshared(True))
    return [*found, Limited(root), Limited(False)]


def strongest() -> Limited:
    """Return the strongest box that works here: each is tried with the start of a child."""
    return next(box for box in candidates() if (type(box) is Limited and not box.user) or works(box))


def keyed(key: str) -> Limited:
    """Return a fresh box of the kind that was found to work here; without a key, the strongest."""
    return next((box for box in candidates() if box.key == key), None) or strongest()


def works(box: Limited) -> bool:
    """Say whether Python starts in a box, finds the package, and takes on the box's orders."""
    package = str(Path(__file__).resolve().parents[2])
    told = PROBE.replace("{}", repr(box.orders()))
    command = box.command("/", (package, str(paths.course())), [sys.executable, "-I", "-c", told, package])
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PROBE_SECONDS, cwd="/")
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and done.stdout.strip().endswith("alive")
