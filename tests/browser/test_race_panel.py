"""The race panel in a real JupyterLab: sliders by keyboard, Run, Stop in the middle, a second Run."""

from __future__ import annotations

import re

import psutil
import pytest
from playwright.sync_api import expect

from .lab import Lab, write_notebook

START = """(code) => {
    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    kernel.requestExecute({code});
}"""
INTERRUPT = "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.interrupt()"
RESTART = "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
PANEL = "from sharedstate.panels import race_panel\npanel = race_panel({})\npanel"


@pytest.fixture
def open_panel(lab: Lab):
    """Open a notebook whose only cell makes the panel with these settings."""

    def opened(settings: str = "") -> Lab:
        write_notebook(lab.server.root / "panel.ipynb", PANEL.format(settings))
        lab.open_notebook("panel.ipynb")
        lab.run_all()
        expect(lab.page.locator(".ss-race-panel")).to_be_visible()
        return lab

    return opened


def child_of(lab: Lab) -> int:
    """Return the process id of the panel's running child."""
    return int(re.sub(r"\D", "", lab.ask_kernel("print(panel._follower._process.pid)")))


def test_slider_moves_by_keyboard_and_run_shows_a_result(open_panel) -> None:
    lab = open_panel("threads=8, requests=2000")
    page = lab.page
    expect(page.locator(".ss-figure img")).to_have_attribute("data-points", "6")
    readout = page.locator(".ss-threads .widget-readout")
    page.locator(".ss-threads .noUi-handle").focus()
    page.keyboard.press("ArrowRight")
    expect(readout).to_have_text("9")
    page.locator(".ss-run").click()
    expect(page.locator(".ss-status")).to_contain_text("Done: 4 points", timeout=60_000)
    expect(page.locator(".ss-figure img")).to_have_attribute("data-points", "4")
    rows = page.locator(".ss-line pre").inner_text().splitlines()
    assert [row.split()[0] for row in rows[2:]] == ["2", "4", "8", "9"]
    expect(page.locator(".ss-run")).to_be_enabled()
    expect(page.locator(".ss-stop")).to_be_disabled()
    assert lab.errors() == []
    lab.screenshot("race_panel", page.locator(".ss-race-panel"))


def test_stop_in_the_middle_of_a_long_sweep(open_panel) -> None:
    lab = open_panel("threads=64, spin=20_000, requests=100_000")
    page = lab.page
    page.locator(".ss-run").click()
    expect(page.locator(".ss-status")).to_contain_text("Measuring point 1 of 6", timeout=30_000)
    expect(page.locator(".ss-run")).to_be_disabled()
    assert lab.ask_kernel("panel.run()") == "ok:"  # a second Run, past the greyed-out button
    assert lab.ask_kernel("print(panel._follower.running)") == "ok:True"
    pid = child_of(lab)
    lab.screenshot("race_panel_running", page.locator(".ss-race-panel"))
    page.locator(".ss-stop").click()
    expect(page.locator(".ss-status")).to_contain_text("Stopped after 0 of 6", timeout=5_000)
    assert lab.ask_kernel("print(6 * 7)") == "ok:42"
    assert not psutil.pid_exists(pid)
    expect(page.locator(".ss-run")).to_be_enabled()


def test_a_kernel_restart_ends_the_sweep(open_panel) -> None:
    lab = open_panel("threads=64, spin=20_000, requests=100_000")
    lab.page.locator(".ss-run").click()
    expect(lab.page.locator(".ss-status")).to_contain_text("Measuring point 1 of 6", timeout=30_000)
    child = psutil.Process(child_of(lab))
    lab.page.evaluate(RESTART)
    child.wait(60)
    assert lab.ask_kernel("print(6 * 7)") == "ok:42"


def test_stop_works_while_a_cell_keeps_the_kernel_busy(open_panel) -> None:
    lab = open_panel("threads=64, spin=20_000, requests=100_000")
    page = lab.page
    page.locator(".ss-run").click()
    expect(page.locator(".ss-status")).to_contain_text("Measuring point 1 of 6", timeout=30_000)
    child = psutil.Process(child_of(lab))
    busy = "import threading; door = threading.Event(); print(door.wait(60))"
    page.evaluate(START, busy)
    page.locator(".ss-stop").click()
    child.wait(20)
    assert not child.is_running()
    expect(page.locator(".ss-stop")).to_be_enabled()  # the view belongs to the main thread, which is busy
    page.evaluate(INTERRUPT)
    expect(page.locator(".ss-status")).to_contain_text("Stopped", timeout=20_000)
    assert lab.ask_kernel("print(6 * 7)") == "ok:42"
