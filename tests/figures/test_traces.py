"""A figure of an interleaving cuts no name that a queue carries, and draws no answers where nobody answers."""

from __future__ import annotations

import pytest

from sharedstate import figures
from sharedstate.interleave.trace import Step, Trace


def said(value: str, kind: str = "put", **answers: object) -> list[str]:
    step = Step("host", kind, "memory.copies", value, 1, "", "")
    trace = Trace(("host", "copies"), (step,), answers or {"host": None, "copies": None}, True, False, "ok", None,
                  0, 0, ("host",), "t", False)
    return [text.get_text() for text in figures.interleaving(trace).axes[0].texts]


@pytest.mark.parametrize(("kind", "word"), [("put", "to"), ("get", "from")])
def test_a_pair_that_would_be_cut_is_said_with_both_names(kind: str, word: str) -> None:
    assert f"{word} copies: pinned, alice_row" in said("('pinned', 'alice_row')", kind)


def test_what_fits_and_what_is_no_pair_stays_as_it_was() -> None:
    assert "puts into copies 'end'" in said("'end'") and "puts into copies ('a', 'b')" in said("('a', 'b')")
    assert "puts into copies <built-in m.." in said("<built-in method of an object>")
    assert "writes copies ('pinned', 'al.." in said("('pinned', 'alice_row')", "write")


def test_answers_are_drawn_unless_all_are_none() -> None:
    assert not any(word.startswith("answer") for word in said("'end'"))
    assert {"answer: None", "answer: 3"} <= set(said("'end'", host=None, copies=3))
