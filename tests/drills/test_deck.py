"""The deck is whole: 24 drills, each with all that candidate and interviewer need; the points add up."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from sharedstate import paths
from sharedstate.checks import Registry, exercise
from sharedstate.drills import Drill, deck, drill
from sharedstate.drills.asked import asked
from sharedstate.drills.deck import GRADES, KINDS, LEVELS, POINTS, UNIT, Example, Row
from sharedstate.game import level

DECK = deck()
each = pytest.mark.parametrize("one", DECK, ids=lambda one: one.id)


def faults(one: Drill) -> list[str]:
    """Return what a drill lacks, in words."""
    texts = {"question": one.question, "answer": one.answer, "trap": one.trap, "title": one.title}
    found = [name for name, text in texts.items() if len(text.split()) < (2 if name == "title" else 12)]
    found += ["level"] * (one.level not in range(1, len(LEVELS) + 1)) + ["kind"] * (one.kind not in KINDS)
    found += ["minutes"] * (not 3 <= one.minutes <= 15) + ["hints"] * (len(one.hints) < 2)
    found += ["follow-ups"] * (len(one.follow_ups) != 2 or any(len(part.split()) < 4 for pair in one.follow_ups
                                                               for part in pair))
    found += ["units"] * (not set(one.units) <= {name[:2] for name in paths.units()} or not one.units)
    points = [row.points for row in one.rubric]
    found += ["points"] * (sum(points) != POINTS or min(points) < 1 or len(points) < 3)
    found += ["rows"] * (any(len(row.wanted.split()) < 2 for row in one.rubric))
    return found + (code_faults(one) if one.kind == "code" else example_faults(one))


def code_faults(one: Drill) -> list[str]:
    """Return what a code drill lacks: the first row is the check's, and something is to be said aloud."""
    asks = exercise(one.exercise)
    found = ["check row"] * (one.rubric[0].points != asks.points or "check" not in one.rubric[0].wanted)
    return found + ["say"] * (not one.say) + ["solution"] * (asks.answer not in one.solution)


def example_faults(one: Drill) -> list[str]:
    """Return what is amiss with the examples: a full, a half and a zero answer, with the rows that they earn."""
    if set(one.examples) != set(GRADES):
        return ["examples"]
    full, half, zero = (one.points(one.examples[grade].earns) for grade in GRADES)
    short = any(len(example.text.split()) < 6 for example in one.examples.values())
    return ["example points"] * ((full, zero) != (POINTS, 0) or not 4 <= half <= 6) + ["example text"] * short


@each
def test_a_drill_has_everything_and_its_points_add_up(one: Drill) -> None:
    assert faults(one) == []


def test_what_a_drill_lacks_is_named() -> None:
    read, code = drill("D01"), drill("D07")
    shorter = replace(read, trap="None.", hints=(), minutes=60, follow_ups=(),
                      rubric=(*read.rubric[:3], Row(1, "Says why it may stay.")))
    assert faults(shorter)[:5] == ["trap", "minutes", "hints", "follow-ups", "points"]
    assert faults(replace(read, examples={})) == ["examples"]
    generous = {**read.examples, "half": Example("Something is wrong with it, I think.", (1, 2, 3, 4))}
    assert faults(replace(read, examples=generous)) == ["example points"]
    assert faults(replace(code, say="", rubric=code.rubric[1:] + code.rubric[:1])) == ["check row", "say"]


def test_there_are_eight_drills_of_each_level_and_every_kind() -> None:
    assert [one.id for one in DECK] == [f"D{number:02}" for number in range(1, 25)]
    assert [[one.level for one in DECK].count(number) for number in (1, 2, 3)] == [8, 8, 8]
    assert {one.kind for one in DECK} == set(KINDS) and len({one.title for one in DECK}) == len(DECK)
    assert {one.level for one in DECK if one.kind == "aloud"} == {1, 2, 3}


def test_the_drills_that_ask_for_code_are_the_lab() -> None:
    code = [one for one in DECK if one.kind == "code"]
    assert [one.exercise for one in code] == [room.id for room in Registry().rooms("12")] and len(code) >= 8
    assert {one.exercise for one in DECK if one.kind != "code"} == {""}


def test_levels_of_the_game_are_among_them_with_their_code() -> None:
    games = [one for one in DECK if one.game]
    assert len(games) >= 2 and all(level(one.game).code().strip() == one.code for one in games)


def test_what_a_code_drill_asks_is_the_labs_own_text() -> None:
    one, lab = drill("D12"), asked(paths.units()[UNIT] / "lab.py", "12.5")
    assert one.question == lab.text and "limiter(most)" in lab.text and "minutes ·" not in lab.text
    assert one.code == lab.code and lab.code.startswith("class Limiter:")
    assert len(one.hints) == 3 and "`Scenario`" in one.hints[0] and "<" not in "".join(one.hints)
    assert "### " not in one.solution and "limiter(2)" in one.solution
    with pytest.raises(ValueError, match=r"no heading '## 12\.9'"):
        asked(paths.units()[UNIT] / "lab.py", "12.9")


@pytest.mark.parametrize("word", ["D07", "d7", "7", " 07 "])
def test_a_drill_is_found_by_its_number(word: str) -> None:
    assert drill(word).id == "D07"


@pytest.mark.parametrize("word", ["D25", "x", "", "D"])
def test_an_unknown_drill_is_said_with_those_there_are(word: str) -> None:
    with pytest.raises(ValueError, match="Drills: D01, D02"):
        drill(word)


@pytest.mark.parametrize(("old", "new"), [
    ("level = 1", ""), ("level = 1", 'level = 1\ncolour = "red"'), ("minutes = 5", "minutes ="),
    ("hints = [", "hunts = ["),
])
def test_a_file_that_is_no_drill_is_named(tmp_path: Path, old: str, new: str) -> None:
    folder = tmp_path / UNIT / "drills"
    shutil.copytree(paths.course() / UNIT / "drills", folder)
    text = (folder / "D01.toml").read_text(encoding="utf-8")
    (folder / "D01.toml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=r"D01\.toml is no drill"):
        drill("D01", tmp_path)


@pytest.mark.parametrize("earned", [[0], [5], [1, 1], [-1]])
def test_rows_that_there_are_not_are_refused(earned: list[int]) -> None:
    with pytest.raises(ValueError, match="rows 1 to 4"):
        drill("D01").points(earned)
