"""Figures of unit 06: what is computed and what is kept, costs, plans, and which test is blind."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from matplotlib.colors import to_hex

from sharedstate import figures, palette
from sharedstate.figures import cache, style
from sharedstate.kvcache.costs import step_cost
from sharedstate.kvcache.memory import plan
from sharedstate.model import GPTConfig

CONFIG = GPTConfig(vocab_size=64)
GIB = 2**30


def letters(ax: object) -> list[str]:
    """What stands in the squares of a board."""
    return [text.get_text() for text in ax.texts]


def test_a_cached_step_computes_one_row_and_one_card_of_each() -> None:
    without, cached = figures.cache_step(5, "t").axes
    assert letters(without) == ["N"] * (2 * 5 + 15)
    assert letters(cached)[:10] == ["K", "K", "K", "K", "N"] * 2
    assert letters(cached)[10:] == [""] * 10 + ["N"] * 5
    with pytest.raises(ValueError, match="2 or more"):
        figures.cache_step(1, "t")


def test_costs_are_drawn_in_milliseconds_and_the_model_is_dotted() -> None:
    figure = figures.step_costs({"attention": {512: 0.001, 1024: 0.002}}, "t", {"attention": {512: 0.001, 1024: 0.002}})
    measured, modelled, legend = figure.axes[0].lines
    assert list(measured.get_ydata()) == list(modelled.get_ydata()) == [1.0, 2.0]
    assert modelled.get_linestyle() == legend.get_linestyle() == ":" and measured.get_linestyle() != ":"
    assert figure.axes[0].get_xscale() == figure.axes[0].get_yscale() == "log"


def test_the_share_of_attention_is_that_of_the_counted_step() -> None:
    costs = {n: (step_cost(CONFIG, n), step_cost(CONFIG, n, cached=False)) for n in (64, 128, 256)}
    curves, shares = figures.context_costs(costs, 128, "t").axes
    assert list(curves.lines[0].get_ydata()) == [costs[n][0].total / 1e6 for n in costs]
    assert list(curves.lines[1].get_ydata()) == [costs[n][1].total / 1e6 for n in costs]
    widths = [bar.get_width() for bar in shares.patches]
    assert widths == pytest.approx([100 * costs[128][0].share(part) for part in cache.STEP_PARTS])
    assert sum(widths) == pytest.approx(100)


def test_bars_end_where_the_plan_ends_and_say_whether_it_fits() -> None:
    large = plan(GPTConfig(8, 32, 4096, 32), "float16", 4096, 2, 8, weights_bytes=GIB)
    small = plan(GPTConfig(8, 32, 4096, 32), "float16", 4096, 1, 8, weights_bytes=GIB)
    ax = figures.memory_bars({"two": large, "one": small}, "t").axes[0]
    assert [bar.get_width() for bar in ax.patches[:3]] == pytest.approx([1, 4, 5 / 3])
    assert [text.get_text() for text in ax.texts] == ["6.7 fits", "4.0 fits"]
    huge = figures.memory_bars({"x": plan(CONFIG, "float16", 10**6, 9, 1)}, "t").axes[0]
    assert "too large" in huge.texts[0].get_text()
    with pytest.raises(ValueError, match="at least one plan"):
        figures.memory_bars({}, "t")


def test_a_blind_test_has_its_colour_its_hatch_and_its_word() -> None:
    ax = figures.which_test({"m": {"a": 0.5, "b": 1e-7}}, "t").axes[0]
    assert [to_hex(patch.get_facecolor()) for patch in ax.patches] == [palette.ISOLATED.lower(), palette.LOST.lower()]
    assert [patch.get_hatch() for patch in ax.patches] == ["", style.LOST_HATCH]
    assert letters(ax) == ["0.50", "blind"]


@pytest.mark.parametrize("draw", [
    lambda: figures.cache_step("six", "t"), lambda: figures.cache_step(2.5, "t"), lambda: figures.step_costs({}, "t"),
    lambda: figures.step_costs({"attention": {}}, "t"), lambda: figures.which_test({}, "t"),
    lambda: figures.which_test({"m": {}}, "t"), lambda: figures.which_test({"m": {"a": 1.0}, "n": {"b": 1.0}}, "t")])
def test_what_cannot_be_drawn_is_refused_with_words(draw: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"use a whole number|nothing to draw: give"):
        draw()
