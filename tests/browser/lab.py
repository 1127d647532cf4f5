"""A real JupyterLab and what a person does in it: open a notebook, run it, look at it, press things."""

from __future__ import annotations

import json
import os
import re
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

from playwright.sync_api import Locator, Page, expect

from sharedstate.commands.lab import write_settings

CHECKOUT = Path(__file__).resolve().parents[2]
CARRIED = ("notebooks", "labs")
START_SECONDS = 90
TALL = 1500
SCREENSHOTS = CHECKOUT / ".run" / "screenshots"
RUN_ALL = """async () => {
    const app = window.jupyterapp, panel = app.shell.currentWidget;
    await panel.context.ready;
    await panel.sessionContext.ready;
    await app.commands.execute('notebook:run-all-cells');
}"""
ANSWER = """async (code) => {
    const panel = window.jupyterapp.shell.currentWidget;
    const future = panel.sessionContext.session.kernel.requestExecute({code, silent: false});
    let text = '';
    future.onIOPub = (m) => { if (m.header.msg_type === 'stream') { text += m.content.text; } };
    const reply = await future.done;
    return reply.content.status + ':' + text.trim();
}"""
ERRORS = """() => {
    const cells = window.jupyterapp.shell.currentWidget.content.model.cells, errors = [];
    for (const cell of cells) {
        if (cell.type !== 'code') { continue; }
        for (const output of cell.toJSON().outputs) {
            if (output.output_type === 'error') { errors.push(output.ename + ': ' + output.evalue); }
        }
    }
    return errors;
}"""
SOURCES = """() => {
    const cells = window.jupyterapp.shell.currentWidget.content.model.cells;
    return [...cells].map(c => [c.type, c.sharedModel.source]);
}"""
RUN_ALL_ABOVE = """async (index) => {
    const app = window.jupyterapp, panel = app.shell.currentWidget;
    await panel.context.ready;
    await panel.sessionContext.ready;
    panel.content.activeCellIndex = index;
    await app.commands.execute('notebook:run-all-above');
}"""
RUN_CELL = """async (index) => {
    const app = window.jupyterapp, panel = app.shell.currentWidget;
    panel.content.activeCellIndex = index;
    await app.commands.execute('notebook:run-cell');
}"""
SCROLL_TO_CELL = """async (index) => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    notebook.activeCellIndex = index;
    await notebook.scrollToItem(index, 'start');
}"""


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


# -- what a person does


class Lab:
    """One open browser page and the server behind it."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page, self.server = page, server

    def open_notebook(self, path: str) -> None:
        """Open a notebook below the server's root and wait until its kernel is idle."""
        self.page.goto(f"{self.server.url}/lab/tree/{path}?reset&token={self.server.token}")
        self.page.locator(".jp-Notebook").first.wait_for(timeout=60_000)
        idle = self.page.get_by_role("button", name=re.compile(r"Python 3 \(ipykernel\) \| Idle"))
        idle.wait_for(timeout=60_000)

    def run_all(self) -> None:
        """Run every cell and return when the last one has ended."""
        self.page.evaluate(RUN_ALL)

    def run_to(self, index: int) -> None:
        """Run the cells above one, and that one, and return when it has ended."""
        self.page.evaluate(RUN_ALL_ABOVE, index)
        self.run_cell(index)

    def run_cell(self, index: int) -> None:
        """Run one cell and wait for it."""
        self.page.evaluate(RUN_CELL, index)

    def show_cell(self, index: int) -> None:
        """Scroll one cell to the top of the window."""
        self.page.evaluate(SCROLL_TO_CELL, index)

    def errors(self) -> list[str]:
        """Return every error output in the open notebook."""
        return self.page.evaluate(ERRORS)

    def ask_kernel(self, code: str) -> str:
        """Run code in the open notebook's kernel, outside its cells; return 'ok:' and what it printed."""
        return self.page.evaluate(ANSWER, code)

    def cell(self, text: str) -> int:
        """Return the index of the first code cell whose source contains `text`."""
        sources = self.page.evaluate(SOURCES)
        return next(i for i, (kind, source) in enumerate(sources) if kind == "code" and text in source)

    def type_into_cell(self, index: int, source: str) -> None:
        """Replace a cell's text by typing, as a person would."""
        self.show_cell(index)
        editor = self.page.locator(f'.jp-Notebook .jp-Cell[data-windowed-list-index="{index}"] .cm-content')
        editor.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(source)

    def screenshot(self, name: str, of: Locator | None = None) -> Path:
        """Save a picture of the page, or of one part of it, for people to look at."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        path = SCREENSHOTS / f"{name}.png"
        if of:
            self.page.set_viewport_size({"width": 1280, "height": TALL})
            of.scroll_into_view_if_needed()
        (of or self.page).screenshot(path=path)
        return path


def write_notebook(path: Path, *sources: str) -> None:
    """Write a notebook of code cells; it needs no library and opens without a question."""
    cells = [
        {"cell_type": "code", "id": f"cell-{i}", "metadata": {}, "outputs": [], "execution_count": None,
         "source": source}
        for i, source in enumerate(sources)
    ]  # fmt: skip
    spec = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    metadata = {"kernelspec": spec, "language_info": {"name": "python"}}
    path.parent.mkdir(parents=True, exist_ok=True)
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(notebook), encoding="utf-8")


__all__ = ["Lab", "expect", "write_notebook"]
