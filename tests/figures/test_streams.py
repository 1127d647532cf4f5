"""Figures of random streams: the message is the title, the same picture at every run, nothing left out."""

from __future__ import annotations

import pytest

from sharedstate import figures
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
