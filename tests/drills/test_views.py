"""What each of the two people sees: the candidate nothing of the answer, the interviewer all of it, and the sheet."""

from __future__ import annotations

import html
import re

import pytest

from sharedstate.drills import Drill, DrillBook, deck, drill, interview, views
from sharedstate.drills.sheet import CUT, page, prose, sheet

DECK = deck()
each = pytest.mark.parametrize("one", DECK, ids=lambda one: one.id)


def words(text: str) -> str:
    """Return a text without blanks, line breaks, and the marks for code, bold and lists."""
    return re.sub(r"[\s`*]+", "", text)


def read(markup: str) -> str:
    """Return what a reader of HTML sees, as `words` gives it."""
    return words(html.unescape(re.sub(r"<[^>]+>", " ", markup)))


def judging(one: Drill) -> list[str]:
    """Return every text that a candidate must not see."""
    pairs = [part for pair in one.follow_ups for part in pair]
    told = [example.text for example in one.examples.values()]
    rows = [row.wanted for row in one.rubric]
    return [one.answer, one.trap, *pairs, *told, *rows, *one.hints, *([one.solution] if one.solution else [])]


@each
def test_the_candidate_sees_the_question_and_nothing_to_judge_it(one: Drill) -> None:
    seen = words(views.candidate(one))
    assert words(one.question) in seen and words(one.code) in seen and words(one.say) in seen
    assert [text for text in judging(one) if words(text) in seen] == []


@each
def test_the_interviewer_sees_everything(one: Drill) -> None:
    seen = words(views.interviewer(one))
    assert [text for text in [one.question, *judging(one)] if words(text) not in seen] == []
    assert max(map(len, views.interviewer(one).split("\n"))) <= 125


@each
def test_a_sheet_holds_the_question_above_the_line_and_the_rest_below(one: Drill) -> None:
    above, below = page(one).split(CUT)
    assert words(one.question) in read(above) and words(one.code) in read(above)
    assert [text for text in judging(one) if words(text) in read(above)] == []
    assert [text for text in judging(one) if words(text) not in read(below)] == []


def test_a_sheet_is_one_page_of_html_for_each_drill() -> None:
    made = sheet(DECK)
    assert re.findall(r'<section id="(D\d\d)">', made) == [one.id for one in DECK]
    assert made.startswith("<!DOCTYPE html>") and "http" not in made and "<script" not in made


def test_text_becomes_paragraphs_and_lists_with_nothing_left_unescaped() -> None:
    assert prose("one\ntwo `a < b`\n\nthree **bold**") == (
        "<p>one two <code>a &lt; b</code></p><p>three <b>bold</b></p>")
    assert prose("these:\n* one\n  more\n* two") == "<p>these:</p><ul><li>one   more</li><li>two</li></ul>"


def test_a_plan_says_when_each_drill_begins() -> None:
    drawn = interview(DECK, 20, 7)
    lines = views.plan(drawn, views.head).split("\n")
    begins = [0]
    for one in drawn:
        begins.append(begins[-1] + one.minutes)
    assert [line.split(":")[0].strip() for line in lines[: len(begins)]] == [str(minute) for minute in begins]
    assert "the end" in lines[len(drawn)]


def test_the_list_shows_levels_and_the_best_score() -> None:
    book, one = DrillBook.load(), drill("D02")
    book.start(one, 0.0)
    book.stop(one, 1.0)
    book.score(one, [1, 2], 1.0)
    listed = views.listing(DECK, book)
    assert listed.count("Level ") == 3 and "best 5 of 10" in next(x for x in listed.split("\n") if "D02" in x)


def test_the_clock_speaks_of_the_time_left_and_of_the_time_over() -> None:
    assert views.clock(drill("D01"), 65.9, 1) == "D01: 1:05 of 5:00, 3:55 left, 1 hint."
    assert views.clock(drill("D01"), 310.0, 2) == "D01: 5:10 of 5:00, 0:10 over time, 2 hints."
