"""What panels have in common: CSS classes for tests and style, one line in words, one picture, a still beside both."""

from __future__ import annotations

import base64
import importlib
import sys
from pathlib import Path

import ipywidgets as widgets
import pytest

from sharedstate import panels
from sharedstate.checks import Registry
from sharedstate.kvcache import SlotCache
from sharedstate.panels.base import Picture, PicturePanel, require_offered
from sharedstate.panels.predict import buttons, predict, question_text, reveal, reveal_text
from sharedstate.panels.start import StartPage, next_step, rows, start_page
from sharedstate.progress import Progress


class Square(PicturePanel):
    """Shows a number squared."""

    caption = "What <it> comes to."

    def __init__(self) -> None:
        self.number = widgets.IntSlider(3)
        self.arrange("square", {"the_number": self.number})
        self.watch([self.number])
        self.show()

    def picture(self) -> Picture:
        """The number and its square."""
        n = self.number.value
        return Picture(f"{n} & its square", f"{n}: {n * n}", f"png {n}".encode(), facts={"even": n % 2 == 0})


def test_a_control_that_moves_is_shown_in_picture_words_and_still() -> None:
    panel = Square()
    panel.number.value = 4
    assert 'data-even="true" alt="4 &amp; its square"' in panel.figure.value
    assert "<em>What &lt;it&gt; comes to.</em>" in panel.figure.value
    assert panel.line.value == '<span role="status">4: 16</span>'
    bundle = panel._repr_mimebundle_()
    assert bundle["text/plain"] == "4: 16" and base64.b64encode(b"png 4").decode() in bundle["text/html"]


@pytest.mark.parametrize(
    ("made", "name", "parts"),
    [
        (Square, "square", ["ss-the-number"]),
        (panels.race_panel, "race", ["ss-threads", "ss-gap", "ss-interval", "ss-requests", "ss-status"]),
        (panels.price_panel, "price", ["ss-threads", "ss-work", "ss-fix"]),
        (panels.generator_panel, "generator", ["ss-units", "ss-batch", "ss-grain"]),
        (panels.mask_panel, "mask", ["ss-kind", "ss-q-len", "ss-padding"]),
        (panels.window_panel, "window", ["ss-size", "ss-after-plain", "ss-row"]),
        (panels.context_panel, "context", ["ss-model", "ss-clock", "ss-measured"]),
        (panels.memory_panel, "memory", ["ss-kv-heads", "ss-device-gib"]),
        (lambda: panels.slot_panel({"number": SlotCache}), "slot", ["ss-cache", "ss-arrival"]),
    ],
)
def test_a_panel_and_its_parts_have_their_classes(made: type[PicturePanel], name: str, parts: list[str]) -> None:
    panel = made()
    assert f"ss-{name}-panel" in panel._dom_classes
    found = {css for child in panel.children for css in child._dom_classes}
    assert {"ss-figure", "ss-line", *parts} <= found


def test_a_value_that_is_not_offered_is_refused() -> None:
    require_offered("context", 8, (4, 8))
    for other in (True, 8.0, 5):
        with pytest.raises(ValueError, match="context is"):
            require_offered("context", other, (1, 4, 8))


# -- Predictions: stored when made, restored, shown beside the measurement, and never in the way.


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


# -- The start page: works with nothing, shows what is done, says what comes next.


FAKE = str(Path(__file__).parents[1] / "checks")
NOON = 1_700_000_000.0


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    """A checkout with units 00 and 90 (three exercises), and an empty my-labs/."""
    (tmp_path / "pyproject.toml").write_text("")
    for unit in ("00_start_here", "90_fake_race"):
        (tmp_path / "course" / unit).mkdir(parents=True)
        minutes = 15 if unit.startswith("00") else 45
        text = f"# %% [markdown]\n# # {unit[:2]} · A title\n#\n# *{minutes} minutes.*\n"
        (tmp_path / "course" / unit / "lesson.py").write_text(text, encoding="utf-8")
    (tmp_path / "course" / "90_fake_race" / "lab.py").write_text("")
    monkeypatch.setenv("SHAREDSTATE_HOME", str(tmp_path))
    monkeypatch.delenv("SHAREDSTATE_MY_LABS", raising=False)
    monkeypatch.setattr(sys, "path", [FAKE, *sys.path])
    return Registry(importlib.import_module("fake_unit").build(tmp_path / "course" / "90_fake_race"))


def test_nothing_exists_yet(registry: Registry, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start_page(registry)
    shown = capsys.readouterr().out
    assert "Next: lesson 00, start here (15 minutes)." in shown
    assert "0 of 3 solved, 0 of 4 points" in shown
    assert not (tmp_path / "my-labs").exists()


def test_progress_moves_what_comes_next(registry: Registry) -> None:
    progress = Progress.load()
    progress.record_prediction("00.q", "a", "x", NOON)
    progress.record_prediction("00.q", "a", "x", NOON + 120)
    assert next_step(rows(progress, registry)) == "Next: lesson 90, fake race (45 minutes)."
    progress.record_attempt("90.1", True, 2.0, "ok")
    assert next_step(rows(progress, registry)) == "Next: exercise 90.2 in lab 90, fake race."
    for one in ("90.2", "90.3"):
        progress.record_attempt(one, True, 1.0, "ok")
    assert next_step(rows(progress, registry)) == "Everything that is here is solved."


def test_the_page_links_to_the_learners_copy_once_there_is_one(registry: Registry, tmp_path: Path) -> None:
    page = StartPage(rows(Progress.load(), registry))
    assert '<a href="../labs/lab_90_fake_race.ipynb">' in page._repr_html_()
    assert '<a href="../notebooks/00_start_here.ipynb">' in page._repr_html_()
    (tmp_path / "my-labs").mkdir()
    (tmp_path / "my-labs" / "lab_90_fake_race.ipynb").write_text("")
    assert '<a href="../my-labs/lab_90_fake_race.ipynb">' in page._repr_html_()


def test_damaged_and_newer_records_are_mentioned(
    registry: Registry, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "my-labs").mkdir()
    for text, words in (("{", "progress-damaged"), ('{"schema": 99}', "newer version")):
        (tmp_path / "my-labs" / "progress.json").write_text(text)
        start_page(registry)
        assert words in capsys.readouterr().out
