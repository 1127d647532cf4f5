"""The race panel in a real JupyterLab: sliders by keyboard, Run, Stop in the middle, a second Run."""

from __future__ import annotations

import re

import psutil
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab, write_notebook

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


# -- The scheduler game in a real JupyterLab: a level played to its goal, the explorer's turn, a claim.


GAME = "from sharedstate.panels import game_panel\ngame = game_panel()\ngame"


def test_a_level_is_played_to_its_goal_and_a_claim_is_proved(lab: Lab) -> None:
    write_notebook(lab.server.root / "game.ipynb", GAME)
    lab.open_notebook("game.ipynb")
    lab.run_all()
    page = lab.page
    expect(page.locator(".ss-game")).to_be_visible()
    page.locator(".ss-level select").select_option(label="2. Let the wrong passcode in")
    rows = page.locator(".ss-trace-view [data-step]")
    moves = ["mallory", *["alice"] * 4, *["mallory"] * 3]
    for done, name in enumerate(moves, 1):
        page.locator(f".ss-step-{name}").click()
        expect(rows).to_have_count(done)
    expect(page.locator(".ss-banner")).to_contain_text("Goal reached in 2 switches: nobody can do it in fewer.")
    expect(page.locator(".ss-board [data-field=input_buffer]")).to_have_attribute("data-writer", "alice")
    expect(page.locator(".ss-step-alice")).to_be_disabled()
    page.locator(".ss-explorer").click()
    expect(page.locator(".ss-verdict")).to_contain_text("A draw")
    page.locator(".ss-hints summary").first.click()
    expect(page.locator(".ss-hints details").first).to_contain_text("need not come from")
    lab.screenshot("game_panel", page.locator(".ss-game"))
    page.locator(".ss-level select").select_option(label="11. One lock around everything")
    expect(page.locator(".ss-story")).to_contain_text("with self.lock:")
    page.locator(".ss-claim").click()
    expect(page.locator(".ss-verdict")).to_contain_text("Right, and proved: all 16 interleavings")
    expect(page.locator(".ss-score")).to_contain_text("2 of 12")
    assert lab.errors() == []
    lab.screenshot("game_panel_claim", page.locator(".ss-game"))


# -- Lesson 06 in a real JupyterLab: it runs, the context panel counts and measures, the planner refuses and plans.


def shown(lab: Lab, call: str, css: str) -> Locator:
    """Scroll to the cell that makes a panel and return the panel."""
    lab.show_cell(lab.cell(call))
    found = lab.page.locator(css)
    expect(found).to_be_visible(timeout=30_000)
    return found


def test_the_panels_of_lesson_06(lab: Lab) -> None:
    lab.open_notebook("notebooks/06_kv_cache.ipynb")
    lab.run_all()
    assert lab.errors() == []
    context = shown(lab, "display(context_panel())", ".ss-context-panel")
    expect(context.locator(".ss-line")).to_contain_text("2,048 tokens")
    context.locator(".noUi-handle").first.focus()
    lab.page.keyboard.press("ArrowLeft")
    expect(context.locator(".ss-line")).to_contain_text("1,024 tokens")
    context.locator(".ss-clock").click()
    expect(context.locator(".ss-measured")).to_contain_text("times as long", timeout=60_000)
    lab.screenshot("lesson_06_context_panel", context)
    memory = shown(lab, "memory_panel()", ".ss-memory-panel")
    expect(memory.locator(".ss-line")).to_contain_text("do not fit. What would: 2 slots")
    lab.screenshot("lesson_06_memory_panel_refuses", memory)
    memory.locator(".ss-kv-heads select").select_option(label="8")
    expect(memory.locator(".ss-line")).to_contain_text("8 slots of 4,096 tokens fit.")
    lab.screenshot("lesson_06_memory_panel", memory)
    assert lab.errors() == []


# -- Lesson 07 in a real JupyterLab: it runs to its panel, in the exhaustive tier to its end, and shows who is hurt.


def test_the_panel_follows_its_controls(lab: Lab, exhaustive: bool) -> None:
    lab.open_notebook("notebooks/07_slot_pollution.ipynb")
    lab.run_all() if exhaustive else lab.run_to(lab.cell("slot_panel({"))
    assert lab.errors() == []
    lab.show_cell(lab.cell("slot_panel({"))
    panel = lab.page.locator(".ss-slot-panel")
    said = panel.locator('[role="status"]')
    expect(said).to_contain_text("4 requests; a ends, and b and c get wrong logits", timeout=30_000)
    handle = panel.locator(".ss-batch .noUi-handle")
    handle.focus()
    for _ in range(12):
        lab.page.keyboard.press("ArrowLeft")
    for _ in range(2):
        lab.page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("3 requests; a ends, and b gets wrong logits", timeout=60_000)
    panel.locator(".ss-arrival input").check()
    expect(said).to_contain_text("3 requests; a ends, and b and c get wrong logits", timeout=60_000)
    expect(panel.locator("img")).to_have_attribute("data-hurt", "2")
    panel.locator(".ss-cache select").select_option("a map")
    expect(said).to_contain_text("nobody is hurt; owner tags: quiet", timeout=60_000)
    assert lab.errors() == []
    lab.screenshot("lesson_07_panel", panel)


# --- the panels of unit 08


def test_the_panels_of_lesson_08(lab: Lab) -> None:
    lab.open_notebook("notebooks/08_paged_blocks.ipynb")
    lab.run_all()
    assert lab.errors() == []
    lab.show_cell(lab.cell("block_panel("))
    blocks = lab.page.locator(".ss-block-panel")
    said = blocks.locator('[role="status"]')
    expect(said).to_contain_text("216 requests in blocks of 16, 16 reserved", timeout=30_000)
    blocks.locator(".ss-mix select").select_option("all long")
    expect(said).to_contain_text("16 requests in blocks of 16, 16 reserved", timeout=60_000)
    lab.screenshot("lesson_08_blocks", blocks)
    lab.show_cell(lab.cell("sharing_panel("))
    sharing = lab.page.locator(".ss-sharing-panel")
    said = sharing.locator('[role="status"]')
    expect(said).to_contain_text("found: ann 0, bob 6, eve 0", timeout=30_000)
    sharing.locator(".ss-groups select").select_option("all tenants share")
    expect(said).to_contain_text("found: ann 0, bob 6, eve 6; 12 tokens", timeout=60_000)
    expect(sharing.locator("img")).to_have_attribute("data-saved", "12")
    assert lab.errors() == []
    lab.screenshot("lesson_08_sharing", sharing)


# --- the panels of unit 09


def test_the_panels_of_lesson_09(lab: Lab) -> None:
    lab.open_notebook("notebooks/09_batching_and_sampling.ipynb")
    lab.run_all()
    assert lab.errors() == []
    lab.show_cell(lab.cell("seed_panel("))
    seeds = lab.page.locator(".ss-seed-panel")
    expect(seeds.locator("img")).to_have_attribute("data-first", "2", timeout=60_000)
    seeds.locator(".ss-engine select").select_option("its own")
    expect(seeds.locator('[role="status"]')).to_contain_text("Neighbours change no token of Ann's", timeout=60_000)
    lab.screenshot("lesson_09_seeds", seeds)
    lab.show_cell(lab.cell("bits_panel("))
    bits = lab.page.locator(".ss-bits-panel")
    bits.locator(".ss-deterministic input").press("Space")
    expect(bits.locator('[role="status"]')).to_contain_text("differ by 0 at most", timeout=60_000)
    lab.screenshot("lesson_09_bits", bits)
    lab.show_cell(lab.cell("knee_panel("))
    knee = lab.page.locator(".ss-knee-panel")
    knee.locator(".ss-batch .noUi-handle").focus()
    lab.page.keyboard.press("ArrowRight")
    expect(knee.locator('[role="status"]')).to_contain_text("batch size 16: 8.4 tokens a pass", timeout=60_000)
    assert lab.errors() == []
    lab.screenshot("lesson_09_knee", knee)
