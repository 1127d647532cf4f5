"""Every lesson with a panel, in a real JupyterLab: it runs, its panel answers, and twice as well as once."""

from __future__ import annotations

import html
import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab

MEASURING = (
    ("02_isolation_fixes", "price_panel(", ".ss-price-panel"),
    ("03_shared_rng", "generator_panel(", ".ss-generator-panel"),
)
DRAWING = (
    ("04_attention_and_masks", "mask_panel(", ".ss-mask-panel", ".ss-offset", "mask_panel(offset=-2).line"),
    ("05_windows_and_channels", "window_panel(", ".ss-window-panel", ".ss-shift", "window_panel(shift=0).line"),
)


def opened(lab: Lab, unit: str, call: str, css: str) -> Locator:
    """Run a lesson from top to bottom and return its panel."""
    lab.open_notebook(f"notebooks/{unit}.ipynb")
    lab.run_all()
    assert lab.errors() == []
    lab.show_cell(lab.cell(call))
    panel = lab.page.locator(css)
    expect(panel).to_be_visible(timeout=30_000)
    return panel


def press(lab: Lab, slider: Locator, key: str, times: int) -> None:
    """Move a slider by keyboard, quickly."""
    slider.locator(".noUi-handle").focus()
    for _ in range(times):
        lab.page.keyboard.press(key)


@pytest.mark.parametrize(("unit", "call", "css"), MEASURING, ids=[unit for unit, *_ in MEASURING])
def test_a_panel_that_measures(lab: Lab, unit: str, call: str, css: str) -> None:
    panel = opened(lab, unit, call, css)
    points = int(panel.locator(".ss-figure img").get_attribute("data-points") or 0)
    assert points
    press(lab, panel.locator(".widget-slider").first, "ArrowLeft", 1)
    panel.locator(".ss-run").click()
    expect(panel.locator(".ss-status")).to_contain_text("Done: 4 points", timeout=90_000)
    expect(panel.locator(".ss-run")).to_be_enabled()
    assert lab.errors() == []
    lab.screenshot(f"lesson_{unit[:2]}_panel", panel)


@pytest.mark.parametrize(("unit", "call", "css", "slider", "lowest"), DRAWING, ids=[unit for unit, *_ in DRAWING])
def test_a_panel_that_draws(lab: Lab, unit: str, call: str, css: str, slider: str, lowest: str) -> None:
    """A slider moved fast ends with the picture of where it stands, as a fresh panel there shows it."""
    panel = opened(lab, unit, call, css)
    said, moved = panel.locator('[role="status"]'), panel.locator(slider)
    for key in ("ArrowRight", "ArrowLeft", "ArrowRight", "ArrowLeft"):
        press(lab, moved, key, 12)
    asked = f"from sharedstate.panels import {call[:-1]}; print({lowest}.value)"
    fresh = re.sub("<[^>]*>", "", lab.ask_kernel(asked).removeprefix("ok:"))
    expect(said).to_have_text(html.unescape(fresh), timeout=60_000)
    expect(panel.locator("img")).to_be_visible()
    assert lab.errors() == []
    lab.screenshot(f"lesson_{unit[:2]}_panel", panel)
