"""The course as a learner meets it: lessons that run, a schedule clicked, an exercise solved by typing."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab, write_notebook

LESSON = "notebooks/01_passcode_race.ipynb"
START = "notebooks/00_start_here.ipynb"
EXERCISES = "labs/lab_01_passcode_race.ipynb"
IN_TWO_SWITCHES = 'schedule = ["mallory*3", "alice*", "mallory*"]'
HARMLESS = 'schedule = ["alice*", "mallory*"]'


def panel(lab: Lab, call: str, css: str) -> Locator:
    """Scroll to the cell that makes a panel and return the panel."""
    lab.show_cell(lab.cell(call))
    found = lab.page.locator(css).first
    expect(found).to_be_visible()
    return found


def step(scheduler: Locator, name: str) -> bool:
    """Click a thread's button and wait for what it did; False when the thread cannot move."""
    button, status = scheduler.locator(f".ss-step-{name}"), scheduler.locator(".ss-status")
    if button.is_disabled():
        return False
    before = status.inner_text()
    button.click()
    expect(status).not_to_have_text(before)
    return True


def play_to_the_goal(scheduler: Locator) -> None:
    """Mallory writes, Alice runs to her end, Mallory looks up."""
    assert step(scheduler, "mallory")
    for name in ("alice", "mallory"):
        while step(scheduler, name):
            pass


def test_unit_01_runs_and_its_scheduler_is_played_to_the_goal(lab: Lab) -> None:
    lab.open_notebook(LESSON)
    lab.run_all()
    assert lab.errors() == []
    race = panel(lab, "race_panel()", ".ss-race-panel")
    lab.screenshot("lesson_01_race_panel", race)
    scheduler = panel(lab, "scheduler_panel(", ".ss-scheduler")
    play_to_the_goal(scheduler)
    goal = "Goal reached in 2 switches: nobody can do it in fewer"
    expect(scheduler.locator(".ss-banner")).to_contain_text(goal)
    lab.screenshot("lesson_01_scheduler_goal", scheduler)
    scheduler.locator(".ss-undo").click()
    expect(scheduler.locator(".ss-status")).to_contain_text("One step back")
    assert lab.ask_kernel("print(6 * 7)") == "ok:42"


def test_the_start_page_runs(lab: Lab) -> None:
    lab.open_notebook(START)
    lab.run_all()
    assert lab.errors() == []
    page = lab.page
    scene = panel(lab, 'game_panel("coffee")', ".ss-game")
    for done, name in enumerate(("anna", "ben", "ben", "anna"), 1):
        scene.locator(f".ss-step-{name}").click()
        expect(scene.locator(".ss-trace-view [data-step]")).to_have_count(done)
    expect(scene.locator(".ss-banner")).to_contain_text("You did it!")
    expect(scene.locator(".ss-banner")).to_contain_text("Anna gets 'coffee'.")
    expect(scene.locator("[data-field=slip]")).to_have_attribute("data-writer", "ben")
    lab.screenshot("first_scene", scene)
    lab.show_cell(lab.cell("start_page()"))
    page.locator(".ss-door-01").click()
    expect(page.locator(".ss-door a")).to_have_text("Open my-labs/lab_01_passcode_race.ipynb")
    assert (lab.server.my_labs / "lab_01_passcode_race.ipynb").is_file()
    lab.screenshot("start_page")


RESTART = "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
SAID = "e => getComputedStyle(e, '::before').content"


def test_a_panel_says_that_its_kernel_was_restarted(lab: Lab) -> None:
    write_notebook(lab.server.root / "dead.ipynb", 'from sharedstate.panels import game_panel\ngame_panel("coffee")')
    lab.open_notebook("dead.ipynb")
    lab.run_all()
    box = lab.page.locator(".ss-game")
    expect(box).to_be_visible()
    assert "restarted" not in box.evaluate(SAID)
    lab.page.evaluate(RESTART)
    expect(box).to_have_class(re.compile("jupyter-widgets-disconnected"))
    assert "restarted" in box.evaluate(SAID)
    lab.screenshot("dead_panel", box)


def test_an_exercise_is_solved_by_typing(lab: Lab) -> None:
    lab.open_notebook(EXERCISES)
    for text in ("where_am_i()", "class VaultChecker", "schedule = ...", 'check("01.1"'):
        lab.run_cell(lab.cell(text))
    answer, check = lab.cell("schedule = ..."), lab.cell('check("01.1"')
    result = lab.page.locator('[data-check="01.1"]')
    expect(result).to_have_attribute("data-ok", "false")
    lab.type_into_cell(answer, HARMLESS)
    lab.run_cell(answer)
    lab.run_cell(check)
    expect(result).to_have_attribute("data-ok", "false")
    refused = result.inner_text()
    lab.type_into_cell(answer, IN_TWO_SWITCHES)
    lab.run_cell(answer)
    lab.run_cell(check)
    expect(result).to_have_attribute("data-ok", "true")
    assert "2 of 2 points" in result.inner_text() and result.inner_text() != refused
    lab.screenshot("lab_01_solved")
    progress = json.loads((lab.server.my_labs / "progress.json").read_text(encoding="utf-8"))
    assert "01.1" in json.dumps(progress)
