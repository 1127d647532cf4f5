"""The teacher's board: right for thirty learners with broken files among them, nobody named, nothing asked outside."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from sharedstate.classroom.board import STATES, Board, board, exercise_names, learner
from sharedstate.classroom.page import fragment, minutes, page, text
from sharedstate.classroom.questions import Question, questions
from sharedstate.classroom.records import Record, read_folder
from sharedstate.cli import cli
from sharedstate.panels import class_panel
from sharedstate.panels.classroom import ClassPanel
from sharedstate.progress import Progress
from tests.classroom.thirty import NAMES, NOW, Plan, broken, plans, wrong_of

ASKED = {"01.threads": Question("01.threads", "How many?", {"a": "x", "b": "y", "c": "z & co", "d": "none"}, "c",
                                "290, 200 per 100,000")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of 30 files: 22 learners and 8 that cannot be read."""
    made = tmp_path_factory.mktemp("class")
    files = [plan.live(made) for plan in plans()]
    broken(made, files[0].read_text())
    return made


@pytest.fixture(scope="module")
def seen(folder: Path) -> Board:
    return board(read_folder(folder), NOW, NAMES, ASKED)


# --- what the board says of each


def test_the_thirty_hold_every_state_but_one_that_has_done_nothing() -> None:
    assert {plan.state for plan in plans()} == {*STATES} - {"new"}


def test_each_learner_is_where_the_plan_put_them(seen: Board) -> None:
    told = {one.name: (one.state, one.at, one.seconds, one.quiet, one.wrong, one.solved) for one in seen.learners}
    assert told == {plan.name: (plan.state, plan.at, plan.seconds, plan.silence, len(plan.wrong), plan.solved)
                    for plan in plans()}
    assert {(one.unit, one.exercises) for one in seen.learners} == {("01", len(NAMES))}


def test_the_most_urgent_come_first(seen: Board) -> None:
    keys = [([*STATES].index(one.state), -one.seconds, -one.quiet) for one in seen.learners]
    assert keys == sorted(keys) and seen.learners[0].state == "stuck"


def test_each_broken_file_has_a_row_that_says_why(folder: Path, seen: Board) -> None:
    expected = broken(folder, (folder / "learner-00-jo.json").read_text())
    told = {record.name: record.trouble for record in seen.troubles}
    assert told.keys() == expected.keys() and len(seen.learners) + len(seen.troubles) == 30
    assert all(expected[name] in said for name, said in told.items()), told


def test_wrong_answers_and_predictions_are_counted(seen: Board) -> None:
    assert [(w.exercise, w.reason, w.answers, w.learners) for w in seen.wrong] == wrong_of(plans())
    (histogram,) = seen.histograms
    chosen = Counter(plan.choice for plan in plans())
    assert dict(histogram.counts) == {key: chosen[key] for key in "abcd"} and histogram.learners == 22


def test_time_comes_from_outside(folder: Path, seen: Board) -> None:
    later = board(read_folder(folder), NOW + 700, NAMES, ASKED)
    assert later.count("quiet") == len([one for one in seen.learners if one.state != "finished"])
    assert all(one.quiet == before + 700 for one, before in zip(
        sorted(later.learners, key=lambda one: one.name), [plan.silence for plan in plans()], strict=True))


# --- who is where, one case each


def record(*events: tuple[float, str, str], where: Path) -> dict:
    """Return the data after these attempts (moment, exercise, reason)."""
    progress = Progress(where / "progress.json")
    for moment, exercise, reason in events:
        progress.record_attempt(exercise, reason == "ok", 1.0, reason, NOW + moment)
    return progress.data


@pytest.mark.parametrize(("events", "now", "at", "state"), [
    (((0, "01.2", "bad"),), 5, "01.2", "working"),
    (((0, "01.2", "bad"), (590, "01.2", "bad")), 600, "01.2", "stuck"),
    (((0, "01.2", "bad"), (590, "01.2", "bad"), (591, "01.2", "ok")), 600, "01.3", "working"),
    (((0, "01.5", "ok"),), 5, "01.1", "working"),
    (((0, "01.1", "bad"), (10, "01.2", "untouched"), (20, "01.3", "missing")), 30, "01.1", "working"),
    (((0, "02.1", "bad"),), 5, "", "lesson"),
    (((0, "01.1", "bad"),), -100, "01.1", "working"),
])  # fmt: skip
def test_where_a_learner_is(tmp_path: Path, events: tuple, now: float, at: str, state: str) -> None:
    one = learner("jo", record(*events, where=tmp_path), NOW + now, NAMES)
    assert (one.at, one.state) == (at, state)
    assert one.quiet == max(0, now - events[-1][0])  # a clock that is behind is no time before the last answer


def test_a_record_without_times_counts_as_one_in_the_lesson(tmp_path: Path) -> None:
    data = record((0, "01.1", "bad"), where=tmp_path)
    for key in ("seconds", "last", "wrong"):
        del data["exercises"]["01.1"][key]
    assert learner("jo", data, NOW, NAMES).state == "lesson"
    assert learner("jo", {**data, "activity": {}}, NOW, NAMES).state == "new"


# --- which files


def test_folders_of_every_kind_are_read_alike(tmp_path: Path) -> None:
    plan = Plan("x", 1, (), 60.0, 45.0, "a")
    whole = plan.live(tmp_path / "made").read_text()
    top = tmp_path / "class"
    for name in ("ann.json", "ben/progress.json", "cem/my-labs/progress.json", "cem/my-labs/lab.json",
                 "dee/a/b/c/progress.json", "ed/my-labs/progress-damaged-20260101.json", ".hidden/progress.json"):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(whole)
    assert [(one.learner, one.name) for one in read_folder(top)] == [
        ("ann", "ann.json"), ("ben", "ben/progress.json"), ("cem", "cem/my-labs/progress.json")]


def test_of_several_files_of_a_learner_the_newest_counts_and_a_broken_one_is_said(tmp_path: Path) -> None:
    old, new = (Plan("x", k, (), 60.0, silence, "a").live(tmp_path / "made").read_text()
                for k, silence in ((1, 3600.0), (3, 5.0)))
    (tmp_path / "class" / "ann").mkdir(parents=True)
    for name, whole in (("progress.json", new), ("progress-before.json", old), ("progress-cut.json", old[:50])):
        (tmp_path / "class" / "ann" / name).write_text(whole)
    told = {one.name: one.data is not None for one in read_folder(tmp_path / "class")}
    assert told == {"ann/progress-cut.json": False, "ann/progress.json": True}


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX: links and pipes")
def test_links_and_pipes_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("hidden words")
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "link.json").symlink_to(tmp_path / "secret.txt")
    os.mkfifo(tmp_path / "class" / "pipe.json")
    found = read_folder(tmp_path / "class")
    assert [one.name for one in found] == ["link.json", "pipe.json"]
    assert all("not followed" in one.trouble for one in found)


def test_a_folder_without_a_record_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="progress --export"):
        read_folder(tmp_path)
    assert read_folder(tmp_path, waiting=True) == []
    with pytest.raises(ValueError, match="is no folder"):
        read_folder(tmp_path / "none")


# --- the page


class Tags(HTMLParser):
    """Collect what a page holds: (tag, attributes)."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))


def test_nobody_is_named_unless_asked(seen: Board) -> None:
    for html in (page(seen), fragment(seen), text(seen)):
        assert not re.search(r"\bjo\b|learner-\d\d|cut-in-half|binary", html)
    for html in (page(seen, names=True), text(seen, names=True)):
        assert all(plan.name in html for plan in plans()) and "cut-in-half.json" in html


def test_the_page_asks_no_other_address(seen: Board) -> None:
    html = page(seen)
    assert not re.search(r"https?:|//|url\(|@import|<script|<link|<img", html.replace("<!doctype html>", ""))
    assert "default-src 'none'" in html and not any({"src", "href"} & held.keys() for _, held in Tags(html).found)


def test_the_page_holds_every_value(seen: Board) -> None:
    tags = Tags(page(seen)).found
    rows = [held for tag, held in tags if tag == "tr" and "data-state" in held]
    assert [(row["data-state"], row["data-at"]) for row in rows[:22]] == [(one.state, one.at) for one in seen.learners]
    assert [row["data-state"] for row in rows[22:]] == ["trouble"] * 8
    bars = [(int(held["data-number"] or 0), held["data-right"] == "true") for tag, held in tags if tag == "li"]
    chosen = Counter(plan.choice for plan in plans())
    assert bars[-4:] == [(chosen[key], key == "c") for key in "abcd"]
    here = [(seen.at(key), False) for key in seen.exercises]
    assert bars[: len(here)] == here
    assert "<b>Measured:</b> 290, 200 per 100,000" in page(seen) and "c: z &amp; co <b>✓ right</b>" in page(seen)


def test_what_a_file_says_is_never_markup(tmp_path: Path) -> None:
    odd = '<svg onload="x">&'
    data = record((0, "01.1", odd), where=tmp_path)
    data["predictions"]["01.threads"] = {"choice": odd, "when": "", "changes": 0}
    data["activity"][odd] = NOW + 1
    html = page(board([Record(odd, odd, data), Record("x", odd, trouble=odd)], NOW, NAMES, ASKED), names=True)
    assert odd not in html and html.count(escape(odd)) == 6


def test_durations_are_said_as_people_do() -> None:
    assert [minutes(s) for s in (0, 59, 60, 3600, 7199, 7200, 90000)] == [
        "<1 min", "<1 min", "1 min", "60 min", "119 min", "2 h", "25 h"]


# --- the questions, and the command


def test_the_questions_of_the_lessons_are_known_with_what_was_measured() -> None:
    home = Path(__file__).resolve().parents[2]
    known = questions(home / "notebooks")
    asked = {name for lesson in (home / "course").glob("*/lesson.py")
             for name in re.findall(r"^predict\(\"([^\"]+)", lesson.read_text(encoding="utf-8"), re.M)}
    assert asked and asked <= known.keys()
    for name in asked:
        question = known[name]
        assert question.text and len(question.choices) >= 2, name
        assert question.right in question.choices and question.measured, name


def test_the_exercises_have_names_in_their_order() -> None:
    names = exercise_names()
    assert names["01.1"] == "schedule" and [*names][:2] == ["01.1", "01.2"]
    assert [*names] == sorted(names, key=lambda key: [int(part) for part in key.split(".")])


def test_the_command_writes_the_page_and_says_where(folder: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["board", str(folder), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert done.output.startswith("30 files: ") and f"Written: {tmp_path / 'out' / 'board.html'}" in done.output
    assert "8 cannot be read" in (tmp_path / "out" / "board.html").read_text(encoding="utf-8")
    assert "learner-00-jo" not in done.output
    bad = CliRunner().invoke(cli, ["board", str(tmp_path / "none")])
    assert bad.exit_code == 1 and "is no folder" in bad.output


# --- the panel


def test_the_panel_is_the_board_and_looks_again(folder: Path, tmp_path: Path) -> None:
    for name in ("learner-00-jo.json", "learner-01-jo.json"):
        (tmp_path / name).write_text((folder / name).read_text())
    panel = ClassPanel(tmp_path, now=lambda: NOW)
    assert panel.line.value.count("2 files") == 1 and "learner-00-jo" not in panel.table.value
    panel.named.value = True
    assert "learner-00-jo" in panel.table.value
    (tmp_path / "third.json").write_text("{")
    panel.again.click()
    assert "3 files" in panel.line.value and "half-written" in panel.table.value
    bundle = panel._repr_mimebundle_()
    assert bundle["text/html"] == panel.table.value and "3 files" in bundle["text/plain"]


def test_a_panel_without_files_says_what_to_do(tmp_path: Path) -> None:
    assert "progress --export" in class_panel(tmp_path).line.value
    assert json.dumps(class_panel(tmp_path)._repr_mimebundle_()["text/html"])
