"""Figures of unit 06: what is computed and what is kept, costs, plans, and which test is blind."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from sharedstate import figures, palette
from sharedstate.figures import cache, style
from sharedstate.figures.costs import ORDER
from sharedstate.figures.slots import Place, places
from sharedstate.kvcache import OwnerTags, PackedCache, SlotCache
from sharedstate.kvcache.costs import step_cost
from sharedstate.kvcache.memory import plan
from sharedstate.model import GPTConfig
from sharedstate.passcodes import WORDS
from sharedstate.passcodes.checkers import FIXED

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


def test_a_blind_test_is_white_and_has_its_word() -> None:
    ax = figures.which_test({"m": {"a": 0.5, "b": 1e-7}}, "t").axes[0]
    assert [to_hex(patch.get_facecolor()) for patch in ax.patches] == [palette.ISOLATED.lower(), "#ffffff"]
    assert letters(ax) == ["0.50", "blind"]


@pytest.mark.parametrize("draw", [
    lambda: figures.cache_step("six", "t"), lambda: figures.cache_step(2.5, "t"), lambda: figures.step_costs({}, "t"),
    lambda: figures.step_costs({"attention": {}}, "t"), lambda: figures.which_test({}, "t"),
    lambda: figures.which_test({"m": {}}, "t"), lambda: figures.which_test({"m": {"a": 1.0}, "n": {"b": 1.0}}, "t")])
def test_what_cannot_be_drawn_is_refused_with_words(draw: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"use a whole number|nothing to draw: give"):
        draw()


# -- Prices: a fix keeps its colour whatever is measured beside it, and the title claims no more than was measured.


WORKS = ("loop", "sleep")


def price(fix: str, work: str, ratio: float = 2.0) -> dict:
    return {"config": {"work": work, "fix": fix}, "ratio": ratio, "spread": (ratio / 2, ratio * 2)}


def colours(results: list) -> dict[str, str]:
    """Mark and colour of each fix in the legend."""
    legend = figures.prices(results, WORDS).axes[0].get_legend()
    return {text.get_text(): f"{mark.get_marker()} {to_hex(mark.get_markerfacecolor())}"
            for text, mark in zip(legend.get_texts(), legend.get_lines(), strict=True)}


def test_every_fix_has_a_colour_of_its_own() -> None:
    assert set(ORDER) == set(FIXED)
    assert len({*colours([price(fix, "loop") for fix in FIXED]).values()}) == len(FIXED)


def test_a_fix_keeps_its_colour_and_place_in_any_order_and_alone() -> None:
    every = colours([price(fix, work) for work in WORKS for fix in ORDER])
    again = colours([price(fix, "sleep") for fix in FIXED])
    assert list(every) == list(again) and every == again
    for fix in FIXED:
        assert colours([price(fix, "sleep")]).items() <= every.items()


def test_the_title_speaks_of_several_kinds_of_work_only_where_several_were_measured() -> None:
    two = [price("lock", "loop", 1.0), price("lock", "sleep", 8.0)]
    assert figures.prices(two, WORDS).message.startswith("The price depends on the work: most for lock")
    one = figures.prices([price("lock", "sleep", 8.0), price("local", "sleep", 1.0)], WORDS).message
    assert one == f"Most expensive: lock, {WORDS['sleep']}: 8.0 ×"
    assert figures.prices(two[:1], WORDS).message == f"The price of lock, {WORDS['loop']}: 1.0 ×"


# -- The figures of unit 07 say what the data says: whose place, stale or not, who reads, who sees.


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def filled(cache: SlotCache, name: str, count: int) -> int:
    slot = cache.allocate(name)
    v = torch.ones(1, count, 1)
    cache.append(slot, 0, v, v)
    return slot


def pool(kind: type[SlotCache] = SlotCache, tags: bool = True) -> SlotCache:
    return kind(3, 5, 1, 1, 1, tags=OwnerTags(record=True) if tags else None)


def test_places_tell_owner_stale_and_never_written() -> None:
    cache = pool()
    alice = filled(cache, "alice", 4)
    cache.release(alice)
    filled(cache, "carol", 2)
    rows = places(cache, text=lambda row, column: 10 * row + column, reads=[(0, 3)])
    assert [place.owner for place in rows[0]] == ["carol", "carol", "alice", "alice", None]
    assert [place.stale for place in rows[0]] == [False, False, True, True, False]
    assert [place.text for place in rows[0]] == ["0", "1", "2", "3", ""]
    assert [place.read for place in rows[0]] == [False, False, False, True, False]
    assert rows[1] == rows[2] == [Place()] * 5


def test_without_tags_a_row_is_its_tenants() -> None:
    cache = pool(tags=False)
    filled(cache, "alice", 2)
    assert [place.owner for place in places(cache, columns=3)[0]] == ["alice", "alice", None]
    cache.release(0)
    assert places(cache)[0][0] == Place(None, stale=True)


def test_rows_that_move_take_their_owner_along() -> None:
    cache = pool(PackedCache)
    for name in ("alice", "bob", "carol"):
        filled(cache, name, 2)
    cache.release(0)
    rows = places(cache)
    assert [row[0].owner for row in rows] == ["bob", "carol", "carol"]
    assert [row[0].stale for row in rows] == [False, False, True], "the old copy of the last row"
    assert not any(place.unasked for row in rows for place in row)


def test_data_that_has_moved_behind_its_owners_back_is_not_stale_but_unasked() -> None:
    class Stale(PackedCache):
        def renumber(self, row: int) -> None:
            pass

    cache = pool(Stale)
    for name, count in (("alice", 4), ("bob", 2), ("carol", 3)):
        filled(cache, name, count)
    cache.release(0)
    rows = places(cache, reads=[(1, 0)])
    assert [place.owner for place in rows[0]] == ["bob", "bob", None, None, None]
    assert [place.unasked for place in rows[0]] == [True, True, False, False, False]
    assert not any(place.stale for place in rows[0]), "what is nobody's and empty has no hatch either"
    assert [place.stale for place in rows[1]] == [False, False, True, False, False]
    said = words(figures.memory_map({"pool": rows}, "Bob reads", reader="bob", word="row"))
    assert "row 0\nnobody asks" in said and {"row 1", "row 2"} <= set(said)


def test_the_legend_names_both_frames_and_only_those_that_are_there() -> None:
    def legend(*row: Place) -> list[str]:
        figure = figures.memory_map({"pool": [row]}, "Who reads", reader="bob")
        return [text.get_text() for text in figure.legends[0].get_texts() if "read" in text.get_text()]

    own, other = Place("bob", read=True), Place("alice", read=True)
    assert legend(own, other) == ["read by bob, its own", "read by bob, not its own"]
    assert legend(own) == ["read by bob, its own"] and legend(other) == ["read by bob, not its own"]
    assert legend(Place("bob")) == []


def test_shared_places_name_all_owners() -> None:
    cache = pool()
    filled(cache, "alice", 1)
    cache.tags.share(0, ["bob"])
    assert places(cache)[0][0].owner == "alice+bob"


def test_the_map_has_a_letter_in_every_place_and_a_hatch_on_what_is_stale() -> None:
    row = [Place("alice", "10"), Place("bob", "20", stale=True, read=True), Place("alice", read=True), Place()]
    figure = figures.memory_map({"pool": [row]}, "Alice reads", reader="alice")
    assert {"A10", "B20", "A", "·"} <= set(words(figure))
    patches = figure.axes[0].patches
    assert sum(patch.get_hatch() == style.STALE_HATCH for patch in patches) == 1
    frames = [patch.get_edgecolor() for patch in patches if patch.get_linewidth() == 2.6]
    leak, own = (tuple(int(code[i:i + 2], 16) / 255 for i in (1, 3, 5)) for code in (palette.LEAK, palette.INK))
    assert [frame[:3] for frame in frames] == [pytest.approx(leak), pytest.approx(own)]


def test_owners_keep_their_colours_in_the_order_given() -> None:
    row = [Place("carol"), Place("alice")]
    figure = figures.memory_map({"pool": [row]}, "Two", owners=("alice", "bob", "carol"))
    keys = {text.get_text(): handle.get_facecolor() for text, handle in zip(
        figure.legends[0].get_texts(), figure.legends[0].get_patches(), strict=True)}
    assert keys["A alice"] != keys["C carol"] and list(keys) == ["A alice", "B bob", "C carol"]


def test_the_life_cycle_says_whose_the_slot_is_at_each_stage() -> None:
    said = words(figures.life_cycle())
    assert {f"Alice's, length {n}" for n in (0, 4, 5)} | {"nobody's, length 0", "Bob's, length 2"} <= set(said)


def test_a_wrong_step_shows_its_error() -> None:
    figure = figures.request_errors({"a": (0.0, None), "b": (1e-12, 0.49)}, "b is hurt")
    assert words(figure).count("ok") == 2 and "0.49" in words(figure)
    strict = figures.request_errors({"a": (1e-12,)}, "strict", tolerance=0.0)
    assert "0.00" in words(strict)


def test_the_matrix_says_which_oracle_sees_all() -> None:
    def matrix(*rows: tuple[object, ...]) -> Figure:
        names = ("alone", "poison")
        return figures.oracle_matrix({f"bug {k}": dict(zip(names, row, strict=True)) for k, row in enumerate(rows)})

    assert matrix((True, False), (True, True)).message == "Only 'alone' sees every bug"
    assert matrix((True, True)).message == "'alone', 'poison' see every bug"
    some = matrix((True, False), ("9 of 20", None))
    assert some.message == "No oracle sees every bug: take two"
    assert {"sees", "blind", "9 of 20", "-"} <= set(words(some))
    keys = [[text.get_text() for text in figure.legends[0].get_texts()] for figure in (some, matrix((True, False)))]
    assert '"9 of 20": sees it in so many trials' in keys[0] and not any("so many" in key for key in keys[1])
