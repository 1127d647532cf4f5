"""The timed mode's panel, with a clock of the test's own: buttons, hints, rubric, score, and what goes wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharedstate.drills import DrillBook, drill
from sharedstate.panels.drills import DrillPanel


class Hand:
    """A clock that is turned by hand."""

    def __init__(self) -> None:
        self.now = 5000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def my_labs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """my-labs/ in a temporary folder."""
    monkeypatch.setenv("SHAREDSTATE_MY_LABS", str(tmp_path))
    return tmp_path


def test_a_drill_from_the_start_to_its_score() -> None:
    hand = Hand()
    panel = DrillPanel("D03", hand)
    assert "await load(user)" in panel.task.value and "0:00 of 6:00 used" in panel.line.value
    panel.start.click()
    hand.now += 90
    panel.hint.click()
    assert drill("D03").hints[0].split("`")[0] in panel.told.value
    assert "1:30 of 6:00 used, 1 point spent" in panel.line.value
    hand.now += 30
    panel.look.click()
    assert "2:00 of 6:00 used" in panel.line.value and "Model answer" not in panel.told.value
    panel.stop.click()
    panel.stop.click()
    assert panel.told.value.count("Model answer") == 1 and len(panel._boxes()) == 4
    for box in panel._boxes()[:2]:
        box.value = True
    hand.now += 1000
    panel.score.click()
    assert "D03 is done: 3 points in 2:00" in panel.line.value and "3 of 10" in panel.told.value
    one, = DrillBook.load().tries
    assert (one.drill, one.earned, one.seconds) == ("D03", (1, 2), 120.0)


def test_what_does_not_fit_is_said_and_spoken() -> None:
    panel = DrillPanel("D01", Hand())
    panel.hint.click()
    assert 'role="alert"' in panel.told.value and "not running" in panel.told.value
    panel.start.click()
    panel.chooser.value = "D02"
    panel.start.click()
    assert "D01 is not done yet" in panel.told.value and "D02: 0:00" in panel.line.value


def test_the_checks_row_of_a_code_drill_needs_the_lab() -> None:
    panel = DrillPanel("D07", Hand())
    panel.start.click()
    panel.stop.click()
    panel._boxes()[0].value = True
    panel.score.click()
    assert "no answer to 12.1" in panel.told.value and panel._boxes() and not DrillBook.load().tries


def test_a_drill_that_runs_already_is_where_a_new_panel_opens() -> None:
    hand, book = Hand(), DrillBook.load()
    book.start(drill("D05"), hand.now)
    book.hint(drill("D05"))
    hand.now += 10
    panel = DrillPanel("D01", hand)
    assert panel.chooser.value == "D05" and "0:10 of 6:00 used, 1 point spent" in panel.line.value
    assert drill("D05").hints[0] in panel.told.value and not panel._boxes()
    book.stop(drill("D05"), hand.now)
    assert len(DrillPanel("D01", hand)._boxes()) == 4


def test_a_page_without_a_kernel_has_the_question_and_the_picture_beside() -> None:
    bundle = DrillPanel("D01", Hand())._repr_mimebundle_()
    assert "A web shop" in bundle["text/plain"] and "Rubric" not in bundle["text/plain"]
    assert "<img " in bundle["text/html"] and 'alt="D01: 0:00 of 5:00 used' in bundle["text/html"]


def test_every_control_has_words_and_the_line_is_read_out() -> None:
    panel = DrillPanel("D01", Hand())
    assert all(one.description and one.tooltip for one in (panel.start, panel.hint, panel.look, panel.stop))
    assert 'role="status"' in panel.line.value
