"""Numbers with their words, and words in a row."""

from __future__ import annotations

import pytest

from sharedstate.wording import WIDTH, count, folded, listed, pairs


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [(1, "switch", "1 switch"), (2, "switch", "2 switches"), (0, "step", "0 steps"), (1200, "step", "1,200 steps"),
     (2, "class", "2 classes"), (1, "class", "1 class")],
)  # fmt: skip
def test_a_number_has_the_right_form_of_its_noun(number: int, noun: str, said: str) -> None:
    assert count(number, noun) == said


def test_words_stand_as_in_a_sentence() -> None:
    assert [listed(words) for words in (["a"], ("a", "b"), ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]


def test_a_dictionary_is_said_in_words() -> None:
    assert pairs({16: "58%", 64: "39%"}) == "16: 58%, 64: 39%" and pairs({}) == ""


def test_long_lines_break_between_words_only() -> None:
    line = "a request's bits do not depend on its neighbours, whoever they are; " * 4 + "x" * 120
    parts = folded(line).split("\n")
    assert " ".join(parts) == line and all(len(part) <= WIDTH for part in parts[:-1]) and folded("short") == "short"
