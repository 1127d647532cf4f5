"""Predictions: stored when made, restored, shown beside the measurement, and never in the way."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sharedstate.panels.predict import buttons, predict, question_text, reveal, reveal_text
from sharedstate.progress import Progress

CHOICES = {"a": "never", "b": "now and then", "c": "always"}
BECAUSE = {"a": "Mallory passed", "b": "it is the right one", "c": "Alice was refused once"}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SHAREDSTATE_MY_LABS", str(tmp_path))
    return tmp_path


def test_a_click_is_stored_and_restored(home: Path) -> None:
    box = buttons("01.board", CHOICES, Progress.load())
    radio, said = box.children[:2]
    assert radio.value is None and said.value == "No choice yet."
    radio.value = "b"
    assert said.value == "Your choice: b (stored)"
    assert Progress.load().prediction("01.board")["text"] == "now and then"
    again, told = buttons("01.board", CHOICES, Progress.load()).children[:2]
    assert again.value == "b" and told.value == "Your choice so far: b"


def test_a_stored_choice_that_no_longer_exists_is_no_selection(home: Path) -> None:
    Progress.load().record_prediction("01.board", "z")
    assert buttons("01.board", CHOICES, Progress.load()).children[0].value is None


def test_the_static_view_holds_the_question_and_every_choice() -> None:
    text = question_text("How often?", CHOICES)
    assert "How often?" in text and all(choice in text for choice in CHOICES.values())


def test_without_widgets_the_question_is_printed_and_a_pick_is_stored(
    capsys: pytest.CaptureFixture[str]
) -> None:
    predict("01.board", "How often?", CHOICES)
    assert "**c**: always" in capsys.readouterr().out
    predict("01.board", "How often?", CHOICES, pick="a")
    assert "Your choice: a (stored)" in capsys.readouterr().out
    reveal("01.board", "b", BECAUSE, "it passed 3 times")
    shown = capsys.readouterr().out
    assert "You predicted **a** (never): not so." in shown
    assert "**Measured:** it passed 3 times" in shown and "**Right: b**" in shown
    assert all(reason in shown for reason in BECAUSE.values())


def test_in_a_notebook_both_views_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["sharedstate.panels.predict"]
    shown: list[object] = []
    monkeypatch.setattr(module, "_shell", lambda: object())
    monkeypatch.setattr(module, "_display", shown.append)
    predict("01.board", "How often?", CHOICES)
    assert [type(view).__name__ for view in shown] == ["Markdown", "VBox"]


def test_reveal_before_predict_says_what_is_missing() -> None:
    shown = reveal_text(None, "b", BECAUSE, "m")
    assert shown.startswith("You have not predicted yet.")
    assert "Right" not in shown.split("<details>")[0], "the answer is folded for somebody who has not chosen"
    assert "**Right: b**" in shown.split("<details>")[1]
    assert "<details>" not in reveal_text({"choice": "b", "text": ""}, "b", BECAUSE, "m")
    assert "right." in reveal_text({"choice": "b", "text": ""}, "b", BECAUSE, "m").splitlines()[0]


def test_a_record_that_cannot_be_used_does_not_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "progress.json").write_text('{"schema": 99}')
    predict("01.board", "How often?", CHOICES, pick="a")
    reveal("01.board", "b", BECAUSE, "m")
    shown = capsys.readouterr().out
    assert "(not stored)" in shown and "newer version" in shown and "**Right: b**" in shown


def test_a_damaged_record_is_mentioned_once(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "progress.json").write_text("{")
    predict("01.board", "How often?", CHOICES)
    assert "progress-damaged" in capsys.readouterr().out


@pytest.mark.parametrize(("choices", "pick", "words"), [
    ({"a": "only"}, None, "two choices"), (CHOICES, "z", "choose one of a, b, c")])
def test_mistakes_of_an_author_are_errors(choices: dict[str, str], pick: str | None, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        predict("01.board", "How often?", choices, pick=pick)
