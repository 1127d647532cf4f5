"""Fixtures of the browser tests: one server and one Chromium for all, a fresh page for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from sharedstate.commands.doctor import find_browser
from tests.browser.lab import Lab, Server, start_server

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
REMEDY = (
    "NO BROWSER: the browser tests did not run. Install Chromium (Debian: apt-get install chromium) or "
    "name one in SHAREDSTATE_BROWSER, then run the tests again."
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test in this folder."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def chromium() -> Iterator[object]:
    """A headless Chromium; without one the tests are skipped and the remedy is named."""
    path = find_browser()
    if not path:
        pytest.skip(REMEDY)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(chromium: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A JupyterLab server; it starts only where there is a browser."""
    running = start_server(tmp_path_factory.mktemp("jupyter"))
    yield running
    running.stop()


@pytest.fixture
def lab(chromium: object, server: Server) -> Iterator[object]:
    """A fresh page on the server. Its kernels end with the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(30_000)
    page = context.new_page()
    yield Lab(page, server)
    context.close()
    server.end_kernels()
