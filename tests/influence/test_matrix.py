"""The matrix as data, as text and as HTML."""

from __future__ import annotations

import pytest

from sharedstate.influence import Influence, Witness
from sharedstate.influence.matrix import classify, declared

STATES = (("allowed", "leak", "leak"), ("isolated", "lost", "unknown"))
WITNESS = Witness("a", "b", "leak b → a: <because>")
FOUND = Influence(
    ("a", "b"), ("a", "b", "schedule"), STATES, {("a", "b"): WITNESS}, "all schedules", "the rest", None,
    ("ran out",), "threads",
)  # fmt: skip
ROWS, COLUMNS = ("r", "s"), ("c", "d", "e")


def test_cells_are_found_by_state_and_by_name() -> None:
    assert FOUND.leaks == (("a", "b"), ("a", "schedule"))
    assert FOUND.lost == (("b", "b"),) and FOUND.unknown == (("b", "schedule"),)
    assert FOUND.state("b", "a") == "isolated" and not FOUND.clean
    with pytest.raises(KeyError, match="no cell"):
        FOUND.state("a", "c")


@pytest.mark.parametrize(
    ("state", "clean"),
    [("allowed", True), ("isolated", True), ("leak", False), ("lost", False), ("unknown", False)],
)
def test_one_bad_or_undecided_cell_is_enough_to_be_unclean(state: str, clean: bool) -> None:
    assert Influence(("a",), ("a", "b"), (("allowed", state),)).clean is clean


@pytest.mark.parametrize(
    "states", [(("allowed",),), (("allowed", "allowed"),) * 2, (("allowed", "fine"),), ()]
)
def test_what_is_no_matrix_is_refused(states: tuple) -> None:
    with pytest.raises(ValueError, match="cell"):
        Influence(("a",), ("a", "b"), states)


@pytest.mark.parametrize(
    ("influences", "may", "must", "state"),
    [(True, False, False, "leak"), (True, True, False, "allowed"), (True, False, True, "allowed"),
     (False, False, False, "isolated"), (False, True, False, "isolated"), (False, True, True, "lost"),
     (False, False, True, "lost"), (None, False, False, "unknown"), (None, True, True, "unknown")],
)  # fmt: skip
def test_a_state_follows_from_what_was_measured_and_what_was_declared(
    influences: bool | None, may: bool, must: bool, state: str
) -> None:
    assert classify(influences, may, must) == state


@pytest.mark.parametrize(
    ("pairs", "cells"),
    [(None, set()), ((), set()), ([("r", "c")], {("r", "c")}),
     ([("*", "d")], {("r", "d"), ("s", "d")}), ([("s", "*")], {("s", "c"), ("s", "d"), ("s", "e")}),
     ([[True, False, False], [False, False, True]], {("r", "c"), ("s", "e")}), ({("s", "d")}, {("s", "d")})],
)  # fmt: skip
def test_declarations_are_pairs_or_a_table(pairs: object, cells: set) -> None:
    assert declared(pairs, ROWS, COLUMNS, "may") == cells


@pytest.mark.parametrize(
    "pairs", [[("x", "c")], [("r", "x")], ["rc"], [("r",)], [[True, False]], [[True] * 3]]
)
def test_a_wrong_declaration_is_refused(pairs: object) -> None:
    with pytest.raises(ValueError, match="may"):
        declared(pairs, ROWS, COLUMNS, "may")


def test_text_has_a_letter_for_every_cell_and_says_the_rest() -> None:
    lines = str(FOUND).split("\n")
    assert lines[0] == (
        "2 leaks, first: b's input reaches a's answer; Lost: b's own input never reaches b's answer; "
        "1 of 6 cells not decided"
    )
    assert [line.split() for line in lines[1:4]] == [
        ["a", "b", "schedule"], ["a", "A", "L", "L"], ["b", "I", "X", "?"],
    ]  # fmt: skip
    for words in ("leak b → a: <because>", "note: ran out", "method: all schedules", "cannot see: the rest"):
        assert words in lines


def test_a_large_matrix_is_a_block_of_letters() -> None:
    names = tuple(map(str, range(64)))
    text = str(Influence(names, names, (("isolated",) * 64,) * 64))
    assert text.count("I" * 64) == 64 and max(map(len, text.split("\n"))) < 80


def test_html_is_escaped_and_carries_state_and_letter() -> None:
    html = FOUND._repr_html_()
    assert "&lt;because&gt;" in html and "<because>" not in html
    assert html.count('data-state="leak"') == 2 and 'data-clean="false"' in html
    for state, letter in (("lost", "X</span>"), ("unknown", "?"), ("allowed", "A")):
        assert f'data-state="{state}"' in html and f">{letter}</td>" in html
