"""The teacher's pages: minutes add up, every unit has its page, and a page names only what there is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from sharedstate import paths, syllabus
from sharedstate.cli import WORDS

FOLDER = paths.root() / "teaching"
PAGES = sorted(FOLDER.rglob("*.md"))
UNITS = {unit.number: unit for unit in syllabus.units()}
TASKS = {task.id: task for unit in UNITS.values() for task in unit.exercises}
ROW = re.compile(r"^\| (\d+) \| ([^|]*) \|", re.M)
CLOCK = re.compile(r"^\| (\d+):(\d\d) \| (\d+) \| (.*) \|$", re.M)
WEEK = re.compile(r"^\| (\d+) \| (.*) \| (\d+) \|$", re.M)
TOTALS = {"Ninety minutes": 90, "Half a day": 240, "Two days: the first": 390, "Two days: the second": 390}
each_unit = pytest.mark.parametrize("unit", UNITS.values(), ids=lambda unit: unit.number)
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(FOLDER).as_posix())


def text_of(unit: syllabus.Unit) -> str:
    return (FOLDER / "units" / f"{unit.name}.md").read_text(encoding="utf-8")


def plan(heading: str) -> str:
    """Return one plan of plans.md."""
    return (FOLDER / "plans.md").read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]


def own_minutes(what: str) -> int:
    """Return what the units themselves ask for the lessons and exercises that a row names."""
    lessons = sum(UNITS[number].minutes for number in re.findall(r"lesson (\d\d)", what))
    return lessons + sum(TASKS[id].minutes for id in re.findall(r"\b(\d\d\.\d)\b", what))


def questions(unit: syllabus.Unit) -> dict[str, set[str]]:
    """Return {question: the letters that may be right}, as the lesson's `reveal` says."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse((paths.units()[unit.name] / "lesson.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "reveal":
            truth = next(word.value for word in node.keywords if word.arg == "truth")
            parts = [truth.body, truth.orelse] if isinstance(truth, ast.IfExp) else [truth]
            found[ast.literal_eval(node.args[0])] = {ast.literal_eval(part) for part in parts}
    return found


@each_unit
def test_every_unit_has_its_page_with_the_units_own_minutes(unit: syllabus.Unit) -> None:
    text = text_of(unit)
    assert text.startswith(f"# {unit.number} · {unit.title}: the teacher's page\n")
    lab = f"lab {unit.lab_minutes}" if unit.exercises else "no lab"
    assert f"*Lesson {unit.minutes} minutes, {lab}." in text
    for part in ("Aim", "The clock", "Questions, with the answers you want", "What goes wrong, and what to say",
                 "On the board"):
        assert f"\n## {part}\n" in text, part


@each_unit
def test_the_clock_of_a_lesson_adds_up_and_names_its_headings(unit: syllabus.Unit) -> None:
    clock = ROW.findall(text_of(unit).split("## The clock")[1].split("\n## ")[0])
    assert sum(int(minutes) for minutes, _ in clock) == unit.minutes
    lesson = (paths.units()[unit.name] / "lesson.py").read_text(encoding="utf-8")
    headings = set(re.findall(r"^# ## (.*)$", lesson, re.M))
    named = [part for _, what in clock for part in what.split("; ") if not part.startswith("the first cell")]
    assert set(named) <= headings, set(named) - headings
    left_out = {name for name in headings - set(named) if not name.startswith(("Deeper", "If something"))}
    assert not left_out


@each_unit
def test_every_question_of_the_lesson_is_answered_as_the_lesson_answers_it(unit: syllabus.Unit) -> None:
    part = text_of(unit).split("## Questions, with the answers you want")[1].split("\n## ")[0]
    entries = re.findall(r"^\* `([\w.-]+)` → (.*)$", part, re.M)
    said = {name: set(re.findall(r"\b([a-e])\b", re.split(r"\. ", f"{words} ")[0])) for name, words in entries}
    assert {name: said[name] & truth for name, truth in questions(unit).items()} == questions(unit)
    assert said.keys() == questions(unit).keys()


@pytest.mark.parametrize("heading", TOTALS)
def test_a_plan_adds_up(heading: str) -> None:
    rows, now = CLOCK.findall(plan(heading)), 0
    for hour, minute, length, what in rows:
        assert int(hour) * 60 + int(minute) == now, what
        assert int(length) >= own_minutes(what), what
        now += int(length)
    assert now == TOTALS[heading] and len(rows) > 4


def test_the_term_holds_every_unit_and_no_week_is_too_full() -> None:
    rows = WEEK.findall(plan("A term"))
    assert [int(week) for week, _, _ in rows] == [*range(1, len(rows) + 1)]
    assert all(own_minutes(what) <= int(minutes) == 90 for _, what, minutes in rows)
    whole = " ".join(what for _, what, _ in rows)
    assert set(re.findall(r"(?:lesson|unit) (\d\d)", whole)) >= UNITS.keys()


@each_page
def test_a_page_names_only_what_there_is(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    ids = set(re.findall(r"\b(\d\d\.\d)\b", text)) - {"0.8"}
    assert ids <= TASKS.keys(), ids - TASKS.keys()
    asked = set(re.findall(r"`(\d\d\.[a-z][\w-]*)`", text))
    assert asked <= {name for unit in UNITS.values() for name in questions(unit)}
    words = set(re.findall(r"run\.py (\w+)", text))
    assert words <= {*WORDS, "lab", "test", "bundle"}, words
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert (page.parent / target).exists(), target
    assert max(map(len, text.splitlines())) <= 160
