"""The figures of unit 09 say what the data says."""

from __future__ import annotations

from itertools import pairwise

import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from sharedstate import figures, palette


def faces(figure: Figure) -> list[tuple]:
    return [patch.get_facecolor() for patch in figure.axes[0].patches]


def test_an_empty_place_is_hatched_and_neighbours_differ() -> None:
    closed = figures.lanes((("a", "a", None), ("b", None, None)), "t")
    assert [bool(patch.get_hatch()) for patch in closed.axes[0].patches] == [False, True, False, True]
    one_after_the_other = figures.lanes((tuple("aabbccddeeffgghh"), tuple("aaaaeeeeaaaaiiii")), "t")
    first = faces(one_after_the_other)[:8]
    assert all(a != b for a, b in pairwise(first))
    assert faces(figures.lanes((("b",), ("a",)), "t"))[::-1] == faces(figures.lanes((("a",), ("b",)), "t"))


def test_another_token_is_marked_and_one_too_many_is() -> None:
    figure = figures.token_rows({"alone": (1, 2), "beside": (1, 3, 4)}, "t")
    same, other = to_rgba(palette.ISOLATED), to_rgba(palette.LEAK)
    assert faces(figure) == [same, same, same, other, other]


def test_a_difference_says_its_size_and_zero_says_so() -> None:
    figure = figures.differences({"ann": 0.0, "bob": 4e-7, "eve": 0.2}, "t")
    assert [text.get_text() for text in figure.axes[0].texts][:3] == ["0, not a bit", "4e-07", "2e-01"]
    marks = [(line.get_marker(), line.get_color()) for line in figure.axes[0].lines[:3]]
    assert marks == [("o", palette.ISOLATED)] * 2 + [("X", palette.LEAK)]


def test_a_chosen_size_is_marked() -> None:
    lines = figures.growth({"one": {1: 1.0, 2: 2.0}}, "t", "x", "y", True, mark=2).axes[0].lines
    assert len(lines) == 2 and lines[1].get_xdata() == [2, 2]


@pytest.mark.parametrize("draw", [
    lambda: figures.lanes((), "t"), lambda: figures.growth({}, "t", "x", "y"),
    lambda: figures.growth({"a": {}}, "t", "x", "y"), lambda: figures.token_rows({}, "t"),
    lambda: figures.token_rows({"a": ()}, "t"), lambda: figures.differences({}, "t")])
def test_nothing_cannot_be_drawn(draw: object) -> None:
    with pytest.raises(ValueError, match="Nothing to draw"):
        draw()
