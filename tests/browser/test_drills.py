"""A drill printed by Chromium fits on one sheet of A4, and the panel of lesson 12 works with the keyboard alone."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from sharedstate.drills import Drill, deck, drill
from sharedstate.drills.sheet import sheet
from tests.browser.lab import Lab

PAGE = re.compile(rb"/Type\s*/Page\b(?!s)")


def pages(chromium: object, *drills: Drill) -> int:
    """Return how many sheets of paper Chromium needs for these drills."""
    page = chromium.new_page()
    try:
        page.set_content(sheet(drills))
        return len(PAGE.findall(page.pdf(prefer_css_page_size=True)))
    finally:
        page.close()


def test_a_drill_fits_on_one_sheet_and_a_longer_one_would_be_seen(chromium: object) -> None:
    one = drill("D23")
    assert pages(chromium, one) == 1
    assert pages(chromium, replace(one, answer=4 * one.answer, trap=20 * one.trap)) == 2


@pytest.mark.exhaustive
def test_every_drill_fits_on_one_sheet(chromium: object) -> None:
    assert [one.id for one in deck() if pages(chromium, one) != 1] == []
    assert pages(chromium, *deck()) == len(deck())


@pytest.mark.exhaustive
def test_the_timed_mode_works_with_the_keyboard(lab: Lab) -> None:
    lab.open_notebook("notebooks/12_interview.ipynb")
    lab.run_all()
    assert lab.errors() == []
    lab.show_cell(lab.cell('drill_panel("D01")'))
    panel = lab.page.locator(".ss-drill-panel")
    expect(panel).to_be_visible(timeout=30_000)
    lab.screenshot("lesson_12_panel", panel)
    for name, said in (("start", "used, no hint so far"), ("hint", "1 point spent on hints")):
        panel.locator(f".ss-{name}").focus()
        lab.page.keyboard.press("Enter")
        expect(panel.locator(".ss-line")).to_contain_text(said)
    panel.locator(".ss-stop").focus()
    lab.page.keyboard.press("Enter")
    boxes = panel.locator(".ss-rows input[type=checkbox]")
    expect(boxes).to_have_count(4)
    for place in (0, 1):
        boxes.nth(place).focus()
        lab.page.keyboard.press("Space")
    panel.locator(".ss-score").focus()
    lab.page.keyboard.press("Enter")
    expect(panel.locator(".ss-line")).to_contain_text("D01 is done: 4 points")
    lab.screenshot("lesson_12_panel_done", panel)
