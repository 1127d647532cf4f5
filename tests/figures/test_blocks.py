"""The figures of unit 08 say what the data says."""

from __future__ import annotations

import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from sharedstate import figures, palette
from sharedstate.figures.blocks import BlockView, block_views
from sharedstate.kvcache import house


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_a_block_says_who_names_it() -> None:
    hotel = house.House(5, 2)
    hotel.write("alice", 10, 11, 12)
    hotel.fork("alice", "bob")
    hotel.write("bob", 20)
    hotel.pool.keep(1)
    views = block_views(hotel.pool, hotel.tables, hotel.at)
    assert [view.owners for view in views] == [(), ("alice", "bob"), ("alice",), ("bob",), ()]
    assert [view.texts for view in views] == [("", ""), ("10", "11"), ("12", ""), ("12", "20"), ("", "")]
    said = words(figures.block_map({"pool": views}, "Bob has a copy"))
    assert {"null", "block 1", "A+B", "A", "B", "free", "10", "20"} <= set(said)


def test_a_kept_block_is_hatched_and_a_free_one_white() -> None:
    kept, free = BlockView(1, (), ("1", "2"), kept=True), BlockView(2, (), ("", ""))
    figure = figures.block_map({"pool": [kept, free]}, "One can be found")
    hatched = [patch for patch in figure.axes[0].patches if patch.get_hatch()]
    assert len(hatched) == 2 and "free, can be found" in [t.get_text() for t in figure.legends[0].get_texts()]


def test_shared_is_grey_and_owners_have_their_colour() -> None:
    views = [BlockView(1, ("a", "b"), ("1",)), BlockView(2, ("b",), ("2",))]
    faces = [patch.get_facecolor() for patch in figures.block_map({"p": views}, "t", ("a", "b")).axes[0].patches]
    assert faces == [to_rgba(palette.ALLOWED), to_rgba(palette.owner(1))]


def test_bars_and_points_carry_their_numbers() -> None:
    figure = figures.capacity_bars({"short": {"reserved": 16, "blocks": 1216}}, "t")
    assert words(figure) == ["16", "1,216"]
    figure = figures.saving([(0.25, 0.27), (0.9, 0.85)], "t")
    assert words(figure) == ["27 %", "85 %"]
    figure = figures.size_sweep({"short": {1: 0.0, 16: 0.05}}, "t", "waste", mark=16)
    assert figure.axes[0].lines[0].get_ydata().tolist() == [0.0, 5.0] and len(figure.axes[0].lines) == 2


@pytest.mark.parametrize("draw", [
    lambda: figures.block_map({}, "t"), lambda: figures.block_map({"a": []}, "t"),
    lambda: figures.capacity_bars({}, "t"), lambda: figures.size_sweep({}, "t", "y"), lambda: figures.saving([], "t")])
def test_nothing_cannot_be_drawn(draw: object) -> None:
    with pytest.raises(ValueError, match="Nothing to draw"):
        draw()
