"""A learner of the room in a real browser, from the login to the teacher's board; and the board on a small screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from sharedstate.classroom.board import board, exercise_names
from sharedstate.classroom.page import page as board_page
from sharedstate.classroom.questions import questions
from sharedstate.classroom.records import read_folder
from sharedstate.cli import cli
from tests.browser.lab import CHECKOUT, SCREENSHOTS
from tests.classroom.rooms import OpenRoom, open_room
from tests.classroom.thirty import NOW, broken, plans

LAB = "lab_01_passcode_race.ipynb"
ANSWER = 'schedule = ["mallory*3", "alice*", "mallory*"]'
IDLE = re.compile(r"Python 3 \(ipykernel\) \| Idle")
PATIENCE = 120_000  # milliseconds


def log_in(page: Page, room: OpenRoom, name: str) -> None:
    """Log in by the form; the first server starts, and the start page opens."""
    page.goto(room.url)
    page.locator("#username_input").fill(name)
    page.locator("#password_input").fill(room.password)
    page.locator("#login_submit").click()
    page.wait_for_url(f"**/user/{name}/lab/tree/notebooks/00_start_here.ipynb*", timeout=PATIENCE)
    page.locator(".jp-Notebook").first.wait_for(timeout=PATIENCE)


def solve_exercise_1(page: Page) -> None:
    """Run the lab as it is, then type the answer into its cell and run it and its check, all with the keyboard."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    cell = page.locator(".jp-CodeCell", has_text="schedule = ...")
    page.locator(".jp-Notebook").first.hover()
    for _ in range(60):
        if cell.count():
            break
        page.mouse.wheel(0, 250)
        page.wait_for_timeout(100)
    cell.first.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(ANSWER)
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    expect(page.locator('[data-check="01.1"]')).to_have_attribute("data-ok", "true", timeout=PATIENCE)


def export(page: Page, name: str) -> None:
    """Write a new cell under the check that exports the progress, and run it."""
    for key in ("Escape", "b", "Enter"):
        page.keyboard.press(key)
    page.keyboard.insert_text(f"!sharedstate progress --export ../{name}.json")
    page.keyboard.press("Shift+Enter")
    expect(page.get_by_text(f"Written: ../{name}.json")).to_be_visible(timeout=PATIENCE)


@pytest.mark.exhaustive
def test_a_learner_logs_in_solves_exercise_1_and_stands_on_the_board(chromium: object, tmp_path: Path) -> None:
    with open_room(tmp_path / "room") as room:
        context = chromium.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        log_in(page, room, "ann")
        page.goto(f"{room.url}/user/ann/lab/tree/my-labs/{LAB}?reset")
        page.get_by_role("button", name=IDLE).wait_for(timeout=PATIENCE)
        solve_exercise_1(page)
        export(page, "ann")
        exported = room.home("ann") / "ann.json"
        (tmp_path / "handed-in").mkdir()
        (tmp_path / "handed-in" / "ann.json").write_text(exported.read_text(encoding="utf-8"), encoding="utf-8")
        for folder in (tmp_path / "handed-in", room.folder / "learners"):  # what was handed in, and the room itself
            done = CliRunner().invoke(cli, ["board", str(folder), "--out", str(tmp_path / "out"), "--names"])
            assert done.exit_code == 0, done.output
            page.goto((tmp_path / "out" / "board.html").as_uri())
            row = page.locator("table.ss-learners tbody tr")
            expect(row).to_have_count(1)
            expect(row).to_have_attribute("data-at", "01.2")
            expect(row.locator("td").first).to_have_text("ann")
            expect(row.locator("td").last).to_have_text(re.compile(r"^1/\d+$"))
        context.close()


def test_the_board_fits_a_small_screen_and_asks_nobody(chromium: object, tmp_path: Path) -> None:
    first, *_ = [plan.live(tmp_path / "class") for plan in plans()]
    broken(tmp_path / "class", first.read_text(encoding="utf-8"))
    seen = board(read_folder(tmp_path / "class"), NOW, exercise_names(), questions(CHECKOUT / "notebooks"))
    (tmp_path / "board.html").write_text(board_page(seen), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 380, "height": 900})
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto((tmp_path / "board.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    expect(page.locator("table.ss-learners tbody tr")).to_have_count(30)
    bar = page.locator(".ss-prediction svg rect:last-child").first
    assert bar.bounding_box()["width"] > 0
    assert page.locator("td").first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)") >= 14
    assert asked == [(tmp_path / "board.html").as_uri()] and said == []
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / "board_380.png", full_page=True)
    page.close()
