"""What a person does in JupyterLab, as functions: open a notebook, run it, look at it, press things."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from .server import CHECKOUT, Server

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
