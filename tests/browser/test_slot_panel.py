"""Lesson 07 in a real JupyterLab: it runs from top to bottom, and its panel shows who is hurt."""

from __future__ import annotations

from playwright.sync_api import expect

from .lab import Lab


def test_the_panel_follows_its_controls(lab: Lab) -> None:
    lab.open_notebook("notebooks/07_slot_pollution.ipynb")
    lab.run_all()
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
