"""A learner's record: no update lost, no damaged file lost, readable by others."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

import sharedstate.files as files
from sharedstate import workspace
from sharedstate.files import FileBusy, file_lock, write_atomic
from sharedstate.progress import PAUSE, Progress, ProgressTooNew
from sharedstate.workspace import WorkspaceError, latest_backup, location_notice, reset, start

NOON = 1_700_000_000.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "my-labs" / "progress.json"


def test_nothing_there_is_an_empty_record(path: Path) -> None:
    progress = Progress.load(path)
    assert progress.data["exercises"] == {} and progress.notice == "" and not path.exists()


def test_attempts_points_and_the_first_solution_are_kept(path: Path) -> None:
    progress = Progress(path)
    progress.record_attempt("01.1", False, 1.0, "not-minimal", NOON)
    progress.record_attempt("01.1", True, 2.0, "ok", NOON + 60)
    progress.record_attempt("01.1", False, 0.0, "bad-word", NOON + 120)
    entry = Progress.load(path).data["exercises"]["01.1"]
    assert (entry["attempts"], entry["points"], entry["reason"]) == (3, 2.0, "bad-word")
    assert progress.solved("01.1") and not progress.solved("01.2")
    assert Progress.load(path).points("01") == 2.0


def test_the_time_at_an_exercise_and_its_wrong_answers_are_kept(path: Path) -> None:
    progress = Progress(path)
    progress.record_prediction("01.board", "a", "x", NOON)
    attempts = (("not-minimal", 60), ("bad-word", 100), ("untouched", 130), ("not-minimal", 160), ("ok", 190))
    for reason, moment in attempts:
        progress.record_attempt("01.1", reason == "ok", 0.0, reason, NOON + moment)
    progress.record_attempt("01.2", False, 0.0, "missing", NOON + 200)
    entry = Progress.load(path).data["exercises"]["01.1"]
    assert entry["wrong"] == {"not-minimal": 2, "bad-word": 1}
    assert (entry["seconds"], entry["last"]) == (160.0, NOON + 190)  # the 30 s before the untouched one are the unit's
    assert progress.seconds("01") == 200.0
    assert "last" not in progress.data["exercises"]["01.2"] and progress.data["exercises"]["01.2"]["attempts"] == 1


def test_a_record_from_before_times_were_kept_is_still_good(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(_record(exercises={"01.1": {"attempts": 2, "points": 0, "solved": None, "reason": "bad-word"}}))
    progress = Progress.load(path)
    progress.record_attempt("01.1", False, 0.0, "bad-word", NOON)
    assert progress.notice == "" and progress.data["exercises"]["01.1"]["wrong"] == {"bad-word": 1}


def test_predictions_are_kept_with_the_number_of_changes(path: Path) -> None:
    for choice in ("a", "b", "b"):
        Progress(path).record_prediction("01.board", choice, "text", NOON)
    stored = Progress.load(path).prediction("01.board")
    assert (stored["choice"], stored["text"], stored["changes"]) == ("b", "text", 2)
    assert Progress.load(path).prediction("01.other") is None


def test_time_counts_activity_and_no_pauses(path: Path) -> None:
    progress = Progress(path)
    for moment in (0, 30, 90, 90 + PAUSE + 1, 90 + PAUSE + 11):
        progress.record_prediction("01.q", "a", "x", NOON + moment)
    progress.record_prediction("02.q", "a", "x", NOON + 95)
    assert progress.seconds("01") == 100.0
    assert progress.seconds("02") == 0.0


def _record(**sections: object) -> str:
    return json.dumps({"schema": 1, "exercises": {}, "predictions": {}, "seconds": {}, "activity": {}, **sections})


DAMAGED = (
    "", "{", "[]", '{"schema": "1"}', '{"schema": 1}', "[" * 100_000, "\x00\xff",
    _record(exercises={"01.1": 5}), _record(exercises={"01.1": {"attempts": 1}}),
    _record(exercises={"01.1": {"attempts": 1, "points": "2", "solved": None}}),
    _record(predictions={"01.board": {"choice": "a"}}), _record(seconds={"01": "long"}),
    _record(activity={"01": None}), _record(seconds={"01": float("nan")}), _record(seconds={"01": 10**400}),
    _record(exercises={"01.1": {"attempts": 1, "points": 0, "solved": None, "wrong": {"bad-word": "2"}}}),
    _record(exercises={"01.1": {"attempts": 1, "points": 0, "solved": None, "wrong": ["bad-word"]}}),
    _record(exercises={"01.1": {"attempts": 1, "points": 0, "solved": None, "last": "noon"}}),
)


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_file_is_kept_and_said_so(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    progress = Progress.load(path)
    kept = list(path.parent.glob("progress-damaged-*.json"))
    assert len(kept) == 1 and kept[0].read_text(encoding="utf-8") == text
    assert kept[0].name in progress.notice
    progress.record_attempt("01.1", True, 1.0, "ok")
    assert Progress.load(path).solved("01.1")


def test_two_damaged_files_within_a_second_are_both_kept(path: Path) -> None:
    path.parent.mkdir()
    for text in ("one", "two"):
        path.write_text(text)
        Progress.load(path)
    assert sorted(p.read_text() for p in path.parent.glob("progress-damaged-*")) == ["one", "two"]


def test_a_file_of_a_newer_course_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"schema": 99}')
    with pytest.raises(ProgressTooNew, match="newer version"):
        Progress(path).record_prediction("01.q", "a", "x")
    assert path.read_text() == '{"schema": 99}'


def test_a_write_that_fails_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Progress(path).record_prediction("01.q", "a", "x", NOON)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        Progress(path).record_prediction("01.q", "a", "x", NOON + 9)
    assert path.read_bytes() == before
    assert sorted(p.name for p in path.parent.iterdir()) == ["progress.json", "progress.lock"]


class Rendezvous:
    """Two updates, forced to overlap: the second starts when the first has read and not yet written."""

    def __init__(self, path: Path, real: bool) -> None:
        self.path, self.real = path, real
        self.second_waits = threading.Event()
        self.second = threading.Thread(target=self._second)

    def lock(self, path: Path) -> AbstractContextManager[None]:
        return file_lock(path) if self.real else contextlib.nullcontext()

    @contextlib.contextmanager
    def announced(self, path: Path) -> Iterator[None]:
        self.second_waits.set()
        with self.lock(path):
            yield

    def _second(self) -> None:
        Progress(self.path, lock=self.announced).record_prediction("01.b", "b", now=NOON)

    def first(self) -> None:
        def change(data: dict) -> None:
            self.second.start()
            assert self.second_waits.wait(10)
            if not self.real:
                self.second.join(10)
            data["predictions"]["01.a"] = {"choice": "a", "changes": 0, "text": "", "when": ""}
        Progress(self.path, lock=self.lock)._update(change)
        self.second.join(10)


def test_overlapping_updates_both_survive(path: Path) -> None:
    Rendezvous(path, real=True).first()
    assert set(Progress.load(path).data["predictions"]) == {"01.a", "01.b"}


def test_without_the_lock_the_same_overlap_loses_one() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "progress.json"
        Rendezvous(path, real=False).first()
        assert set(Progress.load(path).data["predictions"]) == {"01.a"}


def test_the_lock_holds_between_processes_and_dies_with_its_owner(tmp_path: Path) -> None:
    lock = tmp_path / "progress.lock"
    hold = ("import sys, time; from pathlib import Path; from sharedstate.files import file_lock\n"
            "with file_lock(Path(sys.argv[1])):\n    print('held', flush=True); time.sleep(600)")
    owner = subprocess.Popen([sys.executable, "-c", hold, str(lock)], stdout=subprocess.PIPE, text=True)
    assert owner.stdout.readline() == "held\n"
    with pytest.raises(FileBusy, match="held by another program"), file_lock(lock, patience=0.1):
        pass
    owner.kill()
    owner.wait()
    owner.stdout.close()
    with file_lock(lock, patience=5):
        pass


def test_four_processes_lose_nothing(path: Path) -> None:
    work = ("import sys; from pathlib import Path; from sharedstate.progress import Progress\n"
            "for i in range(25): Progress(Path(sys.argv[1])).record_attempt('01.1', False, 0, 'x')")
    workers = [subprocess.Popen([sys.executable, "-c", work, str(path)]) for _ in range(4)]
    assert [worker.wait(60) for worker in workers] == [0, 0, 0, 0]
    assert Progress.load(path).data["exercises"]["01.1"]["attempts"] == 100


def test_export_to_json_and_csv(path: Path, tmp_path: Path) -> None:
    progress = Progress(path)
    progress.record_attempt("01.1", False, 0.0, "bad-word", NOON)
    progress.record_attempt("01.1", True, 2.0, "ok", NOON + 5)
    progress.record_prediction("01.board", "b", "B", NOON + 25)
    assert json.loads(progress.export(tmp_path / "out.json").read_text())["schema"] == 1
    with open(progress.export(tmp_path / "out.csv"), newline="") as handle:
        table = list(csv.DictReader(handle))
    assert [(row["kind"], row["id"], row["value"]) for row in table] == [
        ("exercise", "01.1", "ok"), ("wrong", "01.1", "bad-word"), ("prediction", "01.board", "b"),
        ("seconds", "01", "25.0")]
    assert (table[0]["seconds"], table[1]["attempts"]) == ("5.0", "1")
    with pytest.raises(ValueError, match=r"\.json or \.csv"):
        progress.export(tmp_path / "out.xls")


def test_atomic_write_replaces_and_leaves_no_crumbs(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "file.txt"
    write_atomic(target, "one")
    write_atomic(target, "zwei ✓")
    assert target.read_text(encoding="utf-8") == "zwei ✓" and os.listdir(target.parent) == ["file.txt"]


# -- A learner's copies: made once, never overwritten, reset with a backup.


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


def test_a_lab_in_another_language_has_a_copy_of_its_own(checkout: Path) -> None:
    with pytest.raises(WorkspaceError, match="no lab in zh-CN"):
        start("01", "zh-CN")
    (checkout / "labs" / "zh-CN").mkdir()
    (checkout / "labs" / "zh-CN" / "lab_01_race.ipynb").write_text("原样")
    assert start("01").read_text() == "pristine"
    way = workspace.door("01", "zh-CN")
    assert repr(way) == "Open my-labs/zh-CN/lab_01_race.ipynb"
    lesson = checkout / "notebooks" / "zh-CN"
    lesson.mkdir(parents=True)
    assert (lesson / way._repr_markdown_().split("](")[1].rstrip(")")).resolve().read_text() == "原样"
    assert "my-labs/zh-CN/" in location_notice(checkout / "labs" / "zh-CN", "lab_01_race.ipynb")
    way_back = reset("01", "zh-CN")
    assert way_back.read_text() == "原样" and len(list((checkout / "my-labs" / "backups").iterdir())) == 1


def test_a_unit_stands_for_the_learners_copy(checkout: Path) -> None:
    with pytest.raises(WorkspaceError, match="start 01"):
        workspace.copy_of(Path("01"))
    copy = start("01")
    assert workspace.copy_of(Path("01")) == workspace.copy_of(Path("01_race")) == copy
    for other in (Path("elsewhere"), Path("elsewhere.ipynb"), copy):
        assert workspace.copy_of(other) == other
    with pytest.raises(ValueError, match="No unit '77' here"):
        workspace.copy_of(Path("77"))
    with pytest.raises(WorkspaceError, match="no lab"):
        workspace.copy_of(Path("00"))


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
