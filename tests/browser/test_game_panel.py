"""The scheduler game in a real JupyterLab: a level played to its goal, the explorer's turn, a claim."""

from __future__ import annotations

from playwright.sync_api import expect

from .lab import Lab, write_notebook

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
