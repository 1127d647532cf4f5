"""Figures of unit 05: the message is the title, every state is drawn and named."""

from __future__ import annotations

import pytest
from matplotlib.colors import to_hex

from sharedstate import figures, palette

GRID = (("allowed", "isolated"), ("leak", "lost"))


def colours(figure: object) -> dict[str, tuple[int, int]]:
    """The colour of each square of the first axes, with its column and row."""
    return {to_hex(part.get_facecolor()[0]).upper(): tuple(path.vertices.min(axis=0).astype(int).tolist())
            for part in figure.axes[0].collections for path in part.get_paths()}


def test_sight_draws_each_state_in_its_colour_and_names_it() -> None:
    figure = figures.sight({"one": GRID}, (0, 0), "what it says", walls=1)
    assert figure.message == "what it says"
    places = {"allowed": (0, 0), "isolated": (1, 0), "leak": (0, 1), "lost": (1, 1)}
    assert colours(figure) == {palette.CELLS[state]: place for state, place in places.items()}
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["not seen", "seen", "leak", "lost"]


def test_sight_names_only_what_is_there_and_needs_a_view() -> None:
    figure = figures.sight({"a": (("allowed",),), "b": (("allowed",),)}, (0, 0), "t")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["seen"]
    assert [ax.get_title() for ax in figure.axes] == ["a", "b"]
    with pytest.raises(ValueError, match="at least one view"):
        figures.sight({}, (0, 0), "t")


def test_walls_stand_where_the_windows_end() -> None:
    grid = [["isolated"] * 8] * 8
    plain = figures.sight({"v": grid}, (0, 0), "t", walls=4).axes[0]
    moved = figures.sight({"v": grid}, (0, 0), "t", walls=4, shift=2).axes[0]
    assert walls(plain) == {0, 4, 8} and walls(moved) == {0, 2, 6, 8}


def walls(ax: object) -> set[int]:
    """Where the horizontal lines lie."""
    lines = [line.get_ydata() for line in ax.lines if len(line.get_ydata()) == 2]
    return {int(y[0]) for y in lines if y[0] == y[1]}


def test_regions_get_a_letter_each_and_the_shift_moves_the_walls() -> None:
    after = [[2 * (row > 5) + (column > 5) for column in range(8)] for row in range(8)]
    before = [after[(row - 2) % 8][-2:] + after[(row - 2) % 8][:-2] for row in range(8)]
    figure = figures.regions(before, after, 4, "t")
    letters = [text.get_text() for text in figure.axes[1].texts]
    assert letters[0] == "A" and letters[7] == "B" and letters[-8] == "C" and letters[-1] == "D"
    assert walls(figure.axes[0]) == {0, 2, 6, 8} and walls(figure.axes[1]) == {0, 4, 8}


def test_price_draws_a_line_for_each_kind_in_milliseconds() -> None:
    figure = figures.attention_price({"all": {16: 0.001, 64: 0.016}, "windows": {16: 0.001, 64: 0.004}}, "t")
    lines = figure.axes[0].lines
    assert [line.get_label() for line in lines] == ["all", "windows"]
    assert list(lines[0].get_ydata()) == [1.0, 16.0]
    assert figure.axes[0].get_xscale() == figure.axes[0].get_yscale() == "log"
