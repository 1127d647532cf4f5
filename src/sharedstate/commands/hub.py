"""`hub`: a JupyterHub for a class on this machine, in the foreground until Ctrl-C."""

from __future__ import annotations

import ipaddress
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import click

from sharedstate import paths
from sharedstate.classroom.hub import GIB, Room, bears, password_of, prepare
from sharedstate.commands import npm
from sharedstate.commands.lab import course_environment, setting_files
from sharedstate.commands.talk import friendly

PATIENCE = 90.0  # seconds until the hub answers
FAREWELL = 40.0  # seconds for it to end the learners' servers
PROXY = "configurable-http-proxy"


@click.command("hub")
@click.option("--host", default="127.0.0.1", show_default=True, help="This machine's address in the room's network.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
@click.option("--folder", default="room", show_default=True, metavar="DIR", type=click.Path(path_type=Path),
              help="Where the learners' folders and the hub's secrets lie.")
@click.option("--password", default="", metavar="WORD", help="What learners type; without it one is made, and kept.")
@click.option("--memory", default=2.0, show_default=True, metavar="GIB", type=click.FloatRange(0),
              help="Most memory for each process of a learner; 0 for no limit.")
@click.option("--idle", default=60.0, show_default=True, metavar="MINUTES", type=click.FloatRange(0, min_open=True),
              help="End a server that nobody uses for so long; the work stays.")
@friendly
def command(host: str, port: int, folder: Path, password: str, memory: float, idle: float) -> None:
    """Run a JupyterHub for a class on this machine."""
    require_hub()
    require_free(host, port)
    root = paths.root()
    program = npm.install("hub") / ".bin" / PROXY
    room = made(root, folder.resolve(), host, port, password, program, int(memory * GIB), max(1, int(60 * idle)))
    run(room)


def require_hub() -> None:
    """Raise RuntimeError where JupyterHub cannot run; the message says what to do."""
    if os.name == "nt":
        raise RuntimeError("JupyterHub does not run on Windows: use Linux, macOS or WSL (docs/room.md).")
    if find_spec("jupyterhub") is None or find_spec("jupyterhub_idle_culler") is None:
        raise RuntimeError("JupyterHub is not installed. `python run.py hub` installs what it needs.")


def require_free(host: str, port: int) -> None:
    """Raise ValueError for an address that is not this machine's, RuntimeError for a port that is taken."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as problem:
            if isinstance(problem, PermissionError) or problem.args[0] in (48, 98):  # in use: macOS, Linux
                raise RuntimeError(f"Port {port} is taken or not allowed: choose another with --port.") from None
            raise ValueError(f"{host} is not an address of this machine: see `ip address`.") from None


def made(
    root: Path, folder: Path, host: str, port: int, password: str, program: Path, memory: int, idle: int
) -> Room:
    """Return the room with two free ports for what stays on this machine. Raises what `password_of` raises."""
    with socket.socket() as one, socket.socket() as two:
        for probe in (one, two):
            probe.bind(("127.0.0.1", 0))
        hub_port, proxy_port = one.getsockname()[1], two.getsockname()[1]
    home = Path("{home}")
    places = {**course_environment(home, {}), "SHAREDSTATE_HOME": str(root), "SHAREDSTATE_MY_LABS": "{home}/my-labs"}
    files = {path.as_posix(): text for path, text in setting_files(Path(".run") / "jupyter").items()}
    return Room(folder, root, host, port, hub_port, proxy_port, password_of(folder, password), program, memory, idle,
                files, places)


def run(room: Room) -> None:
    """Start the hub, say what learners type, and wait until it is told to end. RuntimeError if it ends by itself."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    log = room.own / "hub.log"
    config = prepare(room)
    start = [sys.executable, "-m", "jupyterhub", "-f", str(config)]
    with open(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as out:
        hub = subprocess.Popen(start, cwd=room.own, env={**os.environ, "HOME": str(room.own)}, stdin=subprocess.DEVNULL,
                               stdout=out, stderr=out, start_new_session=True, umask=0o077)
    try:
        wait_for(room, hub, log)
        click.echo(welcome(room))
        code = hub.wait()
        raise RuntimeError(f"The hub ended by itself (exit code {code}). {last_lines(log)}")
    except KeyboardInterrupt:
        click.echo("The room closes: servers end, the work stays.")
    finally:
        end(hub)
        signal.signal(signal.SIGTERM, before)


def wait_for(room: Room, hub: subprocess.Popen[bytes], log: Path) -> None:
    """Return when the hub answers through its proxy; RuntimeError when it ends before, or takes too long."""
    host = "127.0.0.1" if room.host == "0.0.0.0" else room.host
    deadline = time.monotonic() + PATIENCE
    while hub.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
                    f"http://{host}:{room.port}/hub/health", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise RuntimeError(f"The hub did not start. {last_lines(log)}")


def last_lines(log: Path) -> str:
    """Return where the log is, and its end."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-12:]
    return f"Its log, {log}, ends:\n  " + "\n  ".join(lines)


def end(hub: subprocess.Popen[bytes]) -> None:
    """Let the hub end its servers and its proxy; kill it if it does not."""
    if hub.poll() is None:
        hub.terminate()
    try:
        hub.wait(FAREWELL)
    except subprocess.TimeoutExpired:
        hub.kill()
        hub.wait()


def welcome(room: Room, available: int | None = None) -> str:
    """Return what the teacher reads; available: bytes of free memory, asked of the machine unless given."""
    if available is None:
        import psutil

        available = psutil.virtual_memory().available
    bare, torch = bears(available)
    lines = [
        f"The room is open: {room.url}",
        "  Learners open this address and type a name of their own (small letters and digits)",
        f"  and the password: {room.password}",
        f"  Their work lies in {room.learners}/NAME/. Where the class is: python run.py board {room.learners}",
        f"  {available / GIB:.1f} GiB of memory are free: about {torch} learners with torch imported, {bare} without.",
        "  There is one password and one user of the system for all: learners are not kept apart (docs/room.md).",
    ]
    if not loopback(room.host):
        lines.append("  The password and the work travel through this network unencrypted: use one that you trust.")
    return "\n".join([*lines, "Stop it with Ctrl-C."])


def loopback(host: str) -> bool:
    """Say whether an address can be reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
