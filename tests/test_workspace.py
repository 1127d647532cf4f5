"""A learner's copies: made once, never overwritten, reset with a backup."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sharedstate import workspace
from sharedstate.workspace import WorkspaceError, latest_backup, location_notice, reset, start


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small checkout: unit 00 without a lab, unit 01 with one, unit 02 whose lab is not built."""
    (tmp_path / "pyproject.toml").write_text("")
    for unit in ("00_start", "01_race", "02_fixes"):
        (tmp_path / "course" / unit).mkdir(parents=True)
    for unit in ("01_race", "02_fixes"):
        (tmp_path / "course" / unit / "lab.py").write_text("")
    (tmp_path / "labs").mkdir()
    (tmp_path / "labs" / "lab_01_race.ipynb").write_text("pristine")
    monkeypatch.setenv("SHAREDSTATE_HOME", str(tmp_path))
    monkeypatch.delenv("SHAREDSTATE_MY_LABS", raising=False)
    return tmp_path


def test_start_copies_once_and_never_overwrites(checkout: Path) -> None:
    copy = start("01")
    assert copy == checkout / "my-labs" / "lab_01_race.ipynb" and copy.read_text() == "pristine"
    copy.write_text("my work")
    (checkout / "labs" / "lab_01_race.ipynb").write_text("update")
    assert start("1").read_text() == "my work"


def test_the_door_is_a_link_from_the_lessons_to_the_copy(checkout: Path) -> None:
    way = workspace.door("01")
    assert repr(way) == "Open my-labs/lab_01_race.ipynb"
    target = (checkout / "notebooks" / way._repr_markdown_().split("](")[1].rstrip(")")).resolve()
    assert target.read_text() == "pristine"
    with pytest.raises(WorkspaceError, match="no lab"):
        workspace.door("00")


def test_a_unit_stands_for_the_learners_copy(checkout: Path) -> None:
    with pytest.raises(WorkspaceError, match="start 01"):
        workspace.copy_of(Path("01"))
    copy = start("01")
    assert workspace.copy_of(Path("01")) == workspace.copy_of(Path("01_race")) == copy
    for other in (Path("77"), Path("elsewhere.ipynb"), copy):
        assert workspace.copy_of(other) == other


def test_a_copy_that_appears_in_the_meantime_is_not_overwritten(checkout: Path) -> None:
    source, target = checkout / "labs" / "lab_01_race.ipynb", checkout / "my-labs" / "lab_01_race.ipynb"
    target.parent.mkdir()
    target.write_text("made by another kernel")
    workspace._copy(source, target)
    assert target.read_text() == "made by another kernel"


def test_reset_keeps_every_old_copy(checkout: Path) -> None:
    for work in ("first", "second", "third"):
        start("01").write_text(work)
        assert reset("01").read_text() == "pristine"
    kept = sorted(p.read_text() for p in (checkout / "my-labs" / "backups").iterdir())
    assert kept == ["first", "second", "third"]
    assert latest_backup("01").read_text() == "third"


def test_a_copy_with_the_name_of_a_lesson_is_still_the_learners(checkout: Path) -> None:
    older = checkout / "my-labs" / "01_race.ipynb"
    older.parent.mkdir()
    older.write_text("my work")
    assert start("01") == workspace.copy_of(Path("01")) == older and older.read_text() == "my work"
    assert reset("01") == older and latest_backup("01").read_text() == "my work"


def test_reset_without_a_copy_makes_one(checkout: Path) -> None:
    assert reset("01").read_text() == "pristine"
    assert latest_backup("01") is None


@pytest.mark.parametrize(("unit", "error", "words"), [
    ("77", ValueError, "01_race"),
    ("00", WorkspaceError, "has no lab"),
    ("02", WorkspaceError, r"missing in labs/.*run\.py build 02"),
])
def test_units_that_cannot_be_started_say_why(
    checkout: Path, unit: str, error: type[Exception], words: str
) -> None:
    for action in (start, reset):
        with pytest.raises(error, match=words):
            action(unit)


def test_a_missing_labs_folder_names_the_remedy(checkout: Path) -> None:
    (checkout / "labs" / "lab_01_race.ipynb").unlink()
    (checkout / "labs").rmdir()
    with pytest.raises(WorkspaceError, match=r"folder labs/ is missing.*git checkout labs"):
        start("01")


def test_a_place_that_cannot_be_written_is_said_clearly(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (checkout / "blocked").write_text("a file where a folder should be")
    monkeypatch.setenv("SHAREDSTATE_MY_LABS", str(checkout / "blocked" / "below"))
    with pytest.raises(WorkspaceError, match="cannot be written"):
        start("01")


def test_a_reset_that_cannot_keep_the_old_copy_does_not_touch_it(checkout: Path) -> None:
    start("01").write_text("my work")
    (checkout / "my-labs" / "backups").write_text("in the way")
    with pytest.raises(WorkspaceError, match="cannot be written"):
        reset("01")
    assert (checkout / "my-labs" / "lab_01_race.ipynb").read_text() == "my work"


def test_a_lab_opened_in_labs_says_where_the_copy_belongs(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "python run.py start 02" in location_notice(checkout / "labs", "labs/lab_02_fixes.ipynb")
    assert location_notice(checkout / "my-labs") == ""
    monkeypatch.chdir(checkout / "labs")
    workspace.where_am_i()
    assert "Your copy belongs in my-labs/" in capsys.readouterr().out
    assert not (checkout / "my-labs").exists()
    monkeypatch.setenv("JPY_SESSION_NAME", "labs/lab_01_race.ipynb")
    workspace.where_am_i()
    assert "[Open my-labs/lab_01_race.ipynb](../my-labs/lab_01_race.ipynb)" in capsys.readouterr().out
    assert (checkout / "my-labs" / "lab_01_race.ipynb").read_text() == "pristine"
    monkeypatch.chdir(os.sep)
    workspace.where_am_i()
    assert capsys.readouterr().out == ""
