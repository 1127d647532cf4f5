"""The boxes: cut out of the lessons, explored as a browser would, repaired, and wrong in every way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sharedstate import paths
from sharedstate.site.boxes import BOXES, FIRST_LEVELS, Box, box_named, lesson_text, program
from sharedstate.site.desk import Desk

VERDICTS = {
    "cafe": "broken", "checker": "broken", "no-spin": "broken", "no-board": "broken", "credit": "proved",
    "half-fixes": "broken", "half-result": "broken", "middleware": "broken", "bank": "deadlock", "tasks": "broken",
}  # fmt: skip
# What a learner would change: (old text, new text), and another question where the box suggests one.
REPAIRS = {
    "cafe": [("self.slip = drink\n        return self.slip", "mine = drink\n        return mine")],
    "checker": [
        ("        self.input_buffer = candidate ", "        input_buffer = candidate "),
        ("self.result = self.input_buffer == self.correct", "result = input_buffer == self.correct"),
        ("return self.result ", "return result "),
    ],
    "no-board": [("self.result = candidate", "result = candidate"), ("return self.result", "return result")],
    "half-fixes": [
        ("        look_up()\n        with self.lock:\n            return", "            look_up()\n            return")
    ],
    "half-result": [("self.result = candidate", "result = candidate"), ("or self.result", "or result")],
    "middleware": [
        ("self.strategy = self.prefix + user", "strategy = self.prefix + user"),
        ("return self.handle()", "return self.handle(strategy)"),
        ("def handle(self):\n        return self.strategy", "def handle(self, strategy):\n        return strategy"),
    ],
    "bank": [("with self.b, self.a", "with self.a, self.b")],
    "tasks": [("self.input_buffer = candidate", "mine = candidate"), ("return self.input_buffer", "return mine")],
}  # fmt: skip


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """What runs in the browser."""
    return Desk(str(tmp_path))


def texts(box: Box) -> dict[str, str]:
    """Return the fields of a box as a reader finds them."""
    made = program(box, lesson_text(paths.root(), box.unit))
    return {"kind": "explore", "before": made.before, "shown": made.shown, "ask": box.ask}


def ask(desk: Desk, request: dict[str, Any]) -> dict[str, Any]:
    """Ask as the page does."""
    return json.loads(desk.answer(json.dumps(request)))


@pytest.mark.parametrize("box", BOXES, ids=lambda box: box.name)
def test_each_box_says_what_its_lesson_says(desk: Desk, box: Box) -> None:
    answer = ask(desk, texts(box))
    assert answer["verdict"] == VERDICTS[box.name], answer["said"]
    assert bool(answer["svg"]) == (not answer["good"]) and answer["outcomes"]


@pytest.mark.parametrize("name", REPAIRS)
def test_a_repaired_box_is_proved(desk: Desk, name: str) -> None:
    request = texts(box_named(name))
    for old, new in REPAIRS[name]:
        assert request["shown"].count(old) == 1, old
        request["shown"] = request["shown"].replace(old, new)
    answer = ask(desk, request)
    assert (answer["verdict"], answer["svg"]) == ("proved", ""), answer["said"]


def test_a_lock_is_at_hand(desk: Desk) -> None:
    request = texts(box_named("checker"))
    head, body = request["shown"].split("    def check(self, candidate):\n")
    inside = "".join(f"    {line}\n" for line in body.splitlines())
    head += "        self.lock = threading.Lock()\n\n    def check(self, candidate):\n        with self.lock:\n"
    request["shown"] = head + inside
    assert ask(desk, request)["said"] == "proved: 2 of 2 classes"


@pytest.mark.parametrize(
    ("part", "old", "new", "line", "said"),
    [
        ("shown", "self.result = False ", "self.result = ( ", 5, "SyntaxError"),
        ("shown", "    def __init__", "    nobody()\n    def __init__", 2, "NameError: name 'nobody' is not defined"),
        ("before", "return Scenario(", "return Scenario(none=1, ", 7, "TypeError"),
        ("ask", "visit(", "len(", 1, "TypeError"),
        ("ask", "visit(PasscodeChecker, mallory_in)", "1 +", 1, "SyntaxError"),
    ],
)
def test_a_fault_is_shown_at_its_line(desk: Desk, part: str, old: str, new: str, line: int, said: str) -> None:
    request = texts(box_named("checker"))
    assert old in request[part]
    answer = ask(desk, {**request, part: request[part].replace(old, new, 1)})
    assert (answer["part"], answer["line"], answer["verdict"]) == (part, line, "fault") and said in answer["said"]


def test_a_question_that_is_no_scenario_is_said(desk: Desk) -> None:
    answer = ask(desk, {**texts(box_named("checker")), "ask": "41 + 1"})
    assert answer["said"] == "TypeError: a Scenario is needed, and this is a value of type int"


def test_an_answer_holds_no_trace_of_the_one_before(desk: Desk) -> None:
    request = texts(box_named("checker"))
    first = ask(desk, request)
    ask(desk, {**request, "shown": "class PasscodeChecker: pass"})
    assert ask(desk, request) == first


def test_a_box_whose_class_has_gone_is_refused() -> None:
    box = box_named("checker")
    with pytest.raises(ValueError, match="box checker: the lesson of 01_passcode_race does not define PasscodeChecker"):
        program(box, lesson_text(paths.root(), box.unit).replace("class PasscodeChecker", "class Renamed"))


# --- the game


@pytest.mark.parametrize("name", FIRST_LEVELS)
def test_the_first_levels_can_be_won(desk: Desk, name: str) -> None:
    moves = {
        "coffee": ["anna", "ben", "ben", "anna"],
        "wrong-in": ["mallory", *["alice"] * 4, *["mallory"] * 3],
        "right-out": ["alice", *["mallory"] * 4, *["alice"] * 3],
    }[name]
    start = ask(desk, {"kind": "game", "level": name, "moves": []})
    assert (start["said"], start["won"], start["svg"]) == ("Choose who moves first.", False, "")
    assert [seat["enabled"] for seat in start["seats"]] == [True, True]
    end = ask(desk, {"kind": "game", "level": name, "moves": moves})
    assert end["won"] and "2 switches, nobody can do it in fewer" in end["said"] and "ss-trace-svg" in end["svg"]


def test_a_lost_game_says_so_and_a_new_desk_goes_on(desk: Desk, tmp_path: Path) -> None:
    lost = {"kind": "game", "level": "coffee", "moves": ["anna", "anna", "ben", "ben"]}
    assert "the goal was not reached" in ask(desk, lost)["said"]
    assert ask(Desk(str(tmp_path / "new")), lost) == ask(desk, lost)
