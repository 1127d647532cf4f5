"""Prices: a fix keeps its colour whatever is measured beside it, and the title claims no more than was measured."""

from __future__ import annotations

from matplotlib.colors import to_hex

from sharedstate import figures
from sharedstate.figures.costs import ORDER
from sharedstate.passcodes import WORDS
from sharedstate.passcodes.checkers import FIXED

WORKS = ("loop", "sleep")


def price(fix: str, work: str, ratio: float = 2.0) -> dict:
    return {"config": {"work": work, "fix": fix}, "ratio": ratio, "spread": (ratio / 2, ratio * 2)}


def colours(results: list) -> dict[str, str]:
    legend = figures.prices(results, WORDS).axes[0].get_legend()
    return {text.get_text(): to_hex(patch.get_facecolor())
            for text, patch in zip(legend.get_texts(), legend.get_patches(), strict=True)}


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
    assert one == f"Dearest: lock, {WORDS['sleep']}: 8.0 ×"
    assert figures.prices(two[:1], WORDS).message == f"The price of lock, {WORDS['loop']}: 1.0 ×"
