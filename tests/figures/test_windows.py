"""Figures of unit 05: the message is the title, every state is drawn and named."""

from __future__ import annotations

from itertools import pairwise

import pytest
from matplotlib.colors import to_hex

from sharedstate import figures, palette
from sharedstate.interleave.trace import Step, Trace
from sharedstate.passcodes.units import UnitsConfig, UnitsResult

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


# -- Figures of random streams: the message is the title, the same picture at every run, nothing left out.


SERIAL = [["a", "b", "c"], ["d", "e", "f"]]
RESULTS = [UnitsResult(UnitsConfig(grain=grain), copies, units, False, 0.1)
           for grain, copies, units in (("none", 12, 0), ("draw", 0, 1), ("own", 0, 16))]
DRAWN = {
    "assignment": lambda: figures.assignment(SERIAL, {"again": [["d", "x", "c"], ["a", "e", "f"]]}, "Dealt anew"),
    "collisions": lambda: figures.collisions({"sum": 115, "digest": 1600}, 1600, "Sums collide"),
    "symbol_counts": lambda: figures.symbol_counts({"folded": [5, 4, 4], "fair": [4, 4, 4]}, "Bias"),
    "generator_runs": lambda: figures.generator_runs(RESULTS),
}
each = pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN)


@each
def test_the_message_is_the_title_and_the_picture_is_the_same_again(draw: object) -> None:
    figure = draw()
    assert figure.message and figure.message in " ".join(figure.get_suptitle().split())
    assert figure.svg() == draw().svg()


def test_the_numbers_stand_in_the_picture() -> None:
    texts = [text.get_text() for text in DRAWN["generator_runs"]().axes[0].texts]
    assert texts == ["16 of 16 units, 0 copies", "1 of 16 units, 0 copies", "0 of 16 units, 12 copies"]
    assert [text.get_text() for text in DRAWN["collisions"]().axes[0].texts] == ["1,600", "115"]


def test_a_strange_passcode_is_left_white() -> None:
    board = DRAWN["assignment"]().axes[0].images[0].get_array()
    assert board.mask.sum() == 1 and board.mask[0, 1]


@pytest.mark.parametrize(("kept", "threads", "title"), [
    ((0, 1, 16), 16, "Only a generator of its own gave every unit its own stream"),
    ((16, 16, 16), 1, "With one thread every unit got its serial passcodes"),
    ((16, 16, 16), 16, "Here every unit got its serial passcodes"),
    ((0, 1, 2), 16, "Not every unit got its serial passcodes"),
    ((0, 16, 16), 16, "Every unit got its serial passcodes only with: lock a draw; one each"),
])
def test_the_title_says_what_the_results_say(kept: tuple[int, ...], threads: int, title: str) -> None:
    results = [UnitsResult(UnitsConfig(threads=threads, grain=grain), 0, units, True, 0.1)
               for grain, units in zip(("none", "draw", "own"), kept, strict=True)]
    assert figures.generator_runs(results).message == title


def test_no_run_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one result"):
        figures.generator_runs([])
    with pytest.raises(ValueError, match="at least one run"):
        figures.assignment(SERIAL, {}, "nothing")


def lightness(colour: str) -> float:
    """Relative luminance of a colour, as WCAG 2 defines it, from 0 to 1."""
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_sixteen_units_have_sixteen_colours_told_apart_by_lightness_alone() -> None:
    shades = [lightness(colour) for colour in palette.RING]
    assert len(shades) == 16 and shades == sorted(shades)
    assert all(b - a > 0.003 for a, b in pairwise(shades)), "two neighbours look the same without colour"
    serial = [[f"{unit}"] for unit in range(16)]
    image = figures.assignment(serial, {"again": serial}, "Dealt").axes[0].images[0]
    assert len({image.cmap(image.norm(unit)) for unit in range(16)}) == 16


# -- A figure of an interleaving cuts no name that a queue carries, and draws no answers where nobody answers.


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
