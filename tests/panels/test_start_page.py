"""The start page: works with nothing, shows what is done, says what comes next."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from sharedstate.checks import Registry
from sharedstate.panels.start import StartPage, next_step, rows, start_page
from sharedstate.progress import Progress

FAKE = str(Path(__file__).parents[1] / "checks")
NOON = 1_700_000_000.0


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    """A checkout with units 00 and 90 (three exercises), and an empty my-labs/."""
    (tmp_path / "pyproject.toml").write_text("")
    for unit in ("00_start_here", "90_fake_race"):
        (tmp_path / "course" / unit).mkdir(parents=True)
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
