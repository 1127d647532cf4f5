"""Fixtures of the site's tests: two units built once and served, one Chromium, a page that notes what goes wrong."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from sharedstate import paths
from sharedstate.commands import npm
from sharedstate.commands.doctor import find_browser
from sharedstate.commands.site import server
from sharedstate.site.build import build

HOME = Path(__file__).resolve().parents[2]
UNITS = ("00_start_here", "01_passcode_race")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync")  # fmt: skip
PATIENCE, USUAL_PATIENCE = 60_000, 5_000  # milliseconds that an expectation may take: ours, and Playwright's own
REMEDY = (
    "NO BROWSER: the site was not opened. Install Chromium (Debian: apt-get install chromium) or name one in "
    "SHAREDSTATE_BROWSER, then run the tests again."
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that opens a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents and "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@dataclass
class Site:
    """A built site that is served: its folder, its address, and how long the building took."""

    folder: Path
    url: str


@dataclass
class Watched:
    """What a page did that it should not: it asked elsewhere, it complained, it failed."""

    page: Page
    own: str
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Note everything from now on."""
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self.complaints.append(f"{said.type}: {said.text}")
                     if said.type in ("error", "warning") else None)  # fmt: skip

    def elsewhere(self) -> list[str]:
        """Return the addresses that are not the site's own."""
        return [url for url in self.asked if not url.startswith((self.own, "data:", "blob:"))]


def served(folder: Path) -> Iterator[Site]:
    """Serve a folder until the caller is done."""
    with server(folder) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield Site(folder, f"http://127.0.0.1:{running.server_port}/")
        running.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site of two units."""
    folder = tmp_path_factory.mktemp("site") / "html"
    assert build(HOME, UNITS, folder) == []
    yield from served(folder)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site of the whole course."""
    folder = tmp_path_factory.mktemp("whole") / "html"
    assert build(HOME, (), folder) == []
    yield from served(folder)


@pytest.fixture(scope="module")
def chromium() -> Iterator[object]:
    """A headless Chromium; without one the tests are skipped and the remedy is named."""
    path = find_browser()
    if not path:
        pytest.skip(REMEDY)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        expect.set_options(timeout=PATIENCE)
        yield browser
        expect.set_options(timeout=USUAL_PATIENCE)
        browser.close()


@pytest.fixture
def open_page(chromium: object) -> Iterator[Callable[..., Watched]]:
    """Open a page of a site: open_page(site, "index.html", width, "dark"). What it does is watched."""
    contexts = []

    def opened(where: Site, page: str, width: int = 1280, colours: str = "light") -> Watched:
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=colours)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        watched = Watched(context.new_page(), where.url)
        watched.watch()
        watched.page.goto(where.url + page)
        return watched

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def axe() -> str:
    """The rules of accessibility, as a script."""
    return (npm.install("axe", HOME) / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def units() -> list[str]:
    """Every unit with a lesson."""
    return [name for name, folder in paths.units().items() if (folder / "lesson.py").is_file()]
