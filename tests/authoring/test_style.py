"""The measures of a lesson, each seen to fail on a lesson that misses its target."""

from __future__ import annotations

from dataclasses import replace

import nbformat.v4 as v4
import pytest

from sharedstate.authoring.style import LESSON, Shape, bare_images, findings, shape, targets, untagged

GOOD = Shape(cells=40, words=1600, lines=(4,) * 40, figures=5, predictions=3, changes=3)


def image(**others: str) -> object:
    """A picture as an output."""
    return v4.new_output("display_data", data={"image/png": "", "text/plain": "<Figure>", **others})


def book(*cells: object) -> object:
    """A notebook of these cells."""
    return v4.new_notebook(cells=list(cells))


def code(source: str = "1", outputs: tuple[object, ...] = (), tags: tuple[str, ...] = ("core",)) -> object:
    """A code cell."""
    return v4.new_code_cell(source, outputs=list(outputs), metadata={"tags": list(tags)})


def test_a_good_lesson_has_no_findings() -> None:
    assert findings(GOOD, LESSON) == []


@pytest.mark.parametrize(("change", "word"), [
    ({"cells": 29}, "cells"), ({"cells": 51}, "cells"),
    ({"words": 1100}, "words"), ({"words": 2300, "lines": (4,) * 60}, "words"),
    ({"lines": (4,) * 20}, "words a line"), ({"lines": (4,) * 80}, "words a line"),
    ({"lines": (5,) * 40}, "median"), ({"lines": (3,) * 36 + (16,) * 4}, "90 percent"),
    ({"lines": (4,) * 39 + (26,)}, "longest"),
    ({"figures": 3}, "figures"), ({"figures": 9}, "figures"),
    ({"columns": 106}, "105"), ({"predictions": 2}, "predictions"), ({"changes": 2}, "change one line"),
])
def test_each_target_missed_is_one_finding(change: dict[str, object], word: str) -> None:
    (found,) = findings(replace(GOOD, **change), LESSON)
    assert word in found


def test_units_have_their_own_targets() -> None:
    assert targets("01_passcode_race") == LESSON
    assert targets("00_start_here") != LESSON
    assert findings(Shape(200, 9, (99,), 0, 0, 0), targets("12_interview")) == []


def test_the_shape_is_what_stands_in_the_notebook() -> None:
    lesson = book(
        v4.new_markdown_cell("Now **change one line** of it."),
        code("predict('a')\n\n\nb = 1", (image(), v4.new_output("stream", text="predict("))),
    )
    assert shape(lesson) == Shape(cells=2, words=6, lines=(2,), figures=1, predictions=1, changes=1, columns=12)


def test_the_foot_counts_for_nothing() -> None:
    links = v4.new_markdown_cell("[change one line](x)", metadata={"tags": ["core", "navigation"]})
    assert shape(book(code(), links)) == shape(book(code()))


def test_a_picture_may_stand_inside_html() -> None:
    drawn = v4.new_output("display_data", data={"text/html": '<img alt="a" src="data:image/png;base64,AA">'})
    assert shape(book(code(outputs=(drawn,)))).figures == 1 and bare_images(book(code(outputs=(drawn,)))) == [1]


def test_a_cell_is_core_or_deeper() -> None:
    cells = (code(), code(tags=("deeper", "stable")), code(tags=()), code(tags=("core", "deeper")))
    assert untagged(book(*cells)) == [3, 4]


def test_a_picture_needs_a_line_of_text_below() -> None:
    caption = v4.new_output("display_data", data={"text/markdown": "*So it is.*"})
    text = v4.new_markdown_cell("*So it is.*")
    assert bare_images(book(code(outputs=(image(),)), text)) == []
    assert bare_images(book(code(outputs=(image(), caption)), code())) == []
    assert bare_images(book(code(outputs=(image(),)), code())) == [1]
    assert bare_images(book(code(outputs=(image(),)))) == [1]
    assert bare_images(book(code(outputs=(image(), image(), caption)), text)) == [1]
    assert bare_images(book(code(outputs=(caption, image())), v4.new_markdown_cell(" "))) == [1]
