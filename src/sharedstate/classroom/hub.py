"""A JupyterHub for one class on one machine, as data: its folder, its secrets, its configuration, what it bears."""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MIB, GIB = 1 << 20, 1 << 30
# Measured: a server with one kernel, bare and with torch imported; hub, proxy and culler together.
BARE, TORCH, HUB = 145 * MIB, 328 * MIB, 162 * MIB
START = "/lab/tree/notebooks/00_start_here.ipynb"
NAME = r"[a-z][a-z0-9_-]{0,30}\Z"  # also the name of the learner's folder; the hub matches from the beginning only
SHORTEST = 8  # letters of a password
SYLLABLES = tuple(first + second for first in "bdfgklmnprstvz" for second in "aeiou")
CULLER = ("list:users", "read:users:activity", "read:servers", "delete:servers")


@dataclass(frozen=True)
class Room:
    """One room: where it lies, where it listens, what a learner types. Ports of the hub and the proxy's API: loopback.

    memory: bytes of data for each process of a learner, 0 for no limit; idle: seconds after which a server that nobody
    uses is ended; proxy: its program; files, places: see spawner.RoomSpawner.
    """

    folder: Path
    course: Path
    host: str
    port: int
    hub_port: int
    proxy_port: int
    password: str
    proxy: Path
    memory: int = 2 * GIB
    idle: int = 3600
    files: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)

    @property
    def own(self) -> Path:
        """The folder of the hub's secrets, its database and its log, which its user alone can read."""
        return self.folder / "hub"

    @property
    def learners(self) -> Path:
        """The folder that holds a folder for each learner."""
        return self.folder / "learners"

    @property
    def url(self) -> str:
        """Where the hub answers."""
        return f"http://{self.host}:{self.port}"


def configuration(room: Room) -> dict[str, Any]:
    """Return JupyterHub's configuration as plain data; the password is in it, and no other secret."""
    culler = [sys.executable, "-m", "jupyterhub_idle_culler", f"--timeout={room.idle}"]
    return {
        "JupyterHub": {
            "bind_url": room.url, "hub_ip": "127.0.0.1", "hub_port": room.hub_port,
            "authenticator_class": "shared-password",
            "spawner_class": "sharedstate.classroom.spawner.RoomSpawner",
            "cookie_secret_file": str(room.own / "cookie_secret"),
            "db_url": f"sqlite:///{room.own / 'jupyterhub.sqlite'}",
            "pid_file": str(room.own / "hub.pid"),
            "services": [{"name": "idle-culler", "command": culler}],
            "load_roles": [{"name": "idle-culler", "scopes": list(CULLER), "services": ["idle-culler"]}],
        },
        "ConfigurableHTTPProxy": {
            "command": [str(room.proxy)], "api_url": f"http://127.0.0.1:{room.proxy_port}",
            "pid_file": str(room.own / "proxy.pid"),
        },
        "SharedPasswordAuthenticator": {
            "user_password": room.password, "allow_all": True, "username_pattern": NAME,
        },
        "RoomSpawner": {
            "home_dir_template": f"{room.learners}/{{username}}", "course": str(room.course),
            "files": dict(room.files), "places": dict(room.places),
            "cmd": [sys.executable, "-m", "jupyterhub.singleuser"],
            "args": ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [],
            "default_url": START, "mem_limit": room.memory, "poll_interval": 10,
            "start_timeout": 180, "http_timeout": 180,
        },
    }  # fmt: skip


def prepare(room: Room) -> Path:
    """Make the room's folders and write the configuration; return its file.

    The folder tells git to leave it alone, wherever it lies. Raises OSError where it cannot be written.
    """
    for folder in (room.folder, room.own, room.learners):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    room.own.chmod(0o700)
    (room.folder / ".gitignore").write_text("*\n", encoding="utf-8")
    target = room.own / "jupyterhub.json"
    write_secret(target, json.dumps({"version": 1, **configuration(room)}, indent=1) + "\n")
    return target


def write_secret(path: Path, text: str) -> None:
    """Write a file that from its first byte on only its user can read."""
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        out.write(text)


def password_of(folder: Path, wanted: str = "") -> str:
    """Return the room's password: the wanted one, else the one from last time, else a new one; kept in the folder.

    Raises ValueError for one that is too short.
    """
    kept = folder / "hub" / "password"
    known = kept.read_text(encoding="utf-8").strip() if kept.is_file() else ""
    chosen = wanted or known or new_password()
    if len(chosen) < SHORTEST:
        raise ValueError(f"The password is too short: use {SHORTEST} letters or more, or leave it out and get one.")
    if chosen != known:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        kept.parent.mkdir(exist_ok=True, mode=0o700)
        write_secret(kept, chosen + "\n")
    return chosen


def new_password() -> str:
    """Return a password that can be read out aloud, as in "kafo-ruti-bemo": 36 bits."""
    return "-".join("".join(secrets.choice(SYLLABLES) for _ in range(2)) for _ in range(3))


def bears(available: int) -> tuple[int, int]:
    """Return how many learners so many bytes bear: with a bare kernel each, and with torch imported."""
    left = max(0, available - HUB)
    return left // BARE, left // TORCH
