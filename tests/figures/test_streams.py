"""Figures of random streams: the message is the title, the same picture at every run, nothing left out."""

from __future__ import annotations

from itertools import pairwise

import pytest

from sharedstate import figures, palette
from sharedstate.passcodes.units import UnitsConfig, UnitsResult

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
