"""A real JupyterLab for the browser tests: its own root folder, settings and token, on a free local port."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from sharedstate.commands.lab import write_settings

CHECKOUT = Path(__file__).resolve().parents[2]
CARRIED = ("notebooks", "labs")
START_SECONDS = 90


@dataclass(frozen=True)
class Server:
    """A running server: where it serves from, where the learner's files go, how to reach it."""

    root: Path
    my_labs: Path
    url: str
    token: str
    process: subprocess.Popen

    def ask(self, path: str, method: str = "GET") -> object:
        """Call the server's REST interface and return the decoded answer (None when it is empty)."""
        request = urllib.request.Request(f"{self.url}/api/{path}", method=method)
        request.add_header("Authorization", f"token {self.token}")
        with urllib.request.urlopen(request, timeout=20) as answer:
            body = answer.read()
        return json.loads(body) if body else None

    def end_kernels(self) -> None:
        """Shut down every kernel, so that the next test has the machine to itself."""
        for session in self.ask("sessions"):
            self.ask(f"sessions/{session['id']}", "DELETE")

    def stop(self) -> None:
        """End the server and with it its kernels."""
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _environment(base: Path) -> dict[str, str]:
    """Return an environment in which nothing is read from or written to the person's own folders."""
    places = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
        "MPLCONFIGDIR": "matplotlib",
        "SHAREDSTATE_MY_LABS": "my-labs",
    }
    chosen = {name: str(base / folder) for name, folder in places.items()}
    return {**os.environ, **chosen, "SHAREDSTATE_HOME": str(CHECKOUT)}


def start_server(base: Path) -> Server:
    """Start JupyterLab below `base` with a copy of notebooks/ and labs/, and wait until it answers."""
    root, port, token = base / "root", _free_port(), secrets.token_hex(16)
    root.mkdir()
    for folder in CARRIED:
        if (CHECKOUT / folder).is_dir():
            shutil.copytree(CHECKOUT / folder, root / folder)
    write_settings(base)  # as `run.py lab` has them
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}",
        f"--ServerApp.root_dir={root}", "--LabApp.expose_app_in_browser=True",
        "--LabApp.extension_manager=readonly",
    ]  # fmt: skip
    with (base / "server.log").open("wb") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=_environment(base), cwd=root
        )
    server = Server(root, base / "my-labs", f"http://127.0.0.1:{port}", token, process)
    _wait(server, base / "server.log")
    return server


def _wait(server: Server, log: Path) -> None:
    """Return when the server answers; raise with the end of its log when it does not."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.process.poll() is None:
        try:
            server.ask("status")
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    server.stop()
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(errors='replace')[-3000:]}")
