"""The deck of symptoms, and the audit table of a module."""

from __future__ import annotations

import logging
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from sharedstate.watch.audit import Row, audit, table
from sharedstate.watch.triage import DECK, QUESTIONS, judge, suspected

SOURCE = '''\
import threading

_lock = threading.Lock()
TABLE = {}
CONSTANTS = (1, 2)
current = None
seen = []
names = {}

def remember(name):
    seen.append(name)
    with _lock:
        names[name] = len(names)

def also(name):
    with _lock:
        names.pop(name)

def choose(thing):
    global current
    current = thing

def forget():
    del names["x"]
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module with a bit of everything."""
    (tmp_path / "bit_of_all.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield __import__("bit_of_all")
    del sys.modules["bit_of_all"]


def test_the_deck_has_cards_of_both_kinds_and_one_that_fools() -> None:
    assert len(DECK) >= 12 and len({card.name for card in DECK}) == len(DECK)
    assert sum(not card.family for card in DECK) >= 4
    assert [card.name for card in DECK if all(card.answers) and not card.family] == ["last digit"]


def test_the_questions_suspect_the_family_and_nothing_else_but_rounding() -> None:
    assert {card.name for card in DECK if suspected(card.answers) != card.family} == {"last digit"}


def test_the_answer_says_what_differs_and_where_to_look() -> None:
    card = DECK[0]
    assert judge(card, card.answers, True).startswith("All four answers are as in the deck. Shared state it is")
    other = judge(card, (False, *card.answers[1:]), False)
    assert QUESTIONS[0] in other and QUESTIONS[1] not in other and "You said the opposite." in other
    assert card.look in other


def test_writers_and_locks_are_read_off_the_source(module: ModuleType) -> None:
    rows = {row.name: row for row in audit(module)}
    assert rows["seen"] == Row("seen", "list", ("remember",), "none")
    assert rows["names"] == Row("names", "dict", ("remember", "also", "forget"), "a lock, at times")
    assert rows["current"] == Row("current", "NoneType", ("choose",), "none")
    assert rows["TABLE"] == Row("TABLE", "dict", (), "import only")
    assert "CONSTANTS" not in rows and "_lock" not in rows
    assert "a lock, at times" in table(audit(module))


def test_the_standard_library_has_rows_of_both_kinds() -> None:
    rows = {row.name: row.lock for row in audit(logging)}
    assert rows["_handlers"] == "a lock, always" and rows["_logRecordFactory"] == "none"
    (hidden,) = [row for row in audit(random) if row.name == "_inst"]
    assert hidden.kind == "Random" and {"seed", "gauss"} <= set(hidden.writers)
