"""The faults of unit 06: boxes of cards that are nearly right, a box that two texts share, plans that lie.

A cache is held against the model without one: the last logits, alone, in float32 with a tolerance of 1e-4. Each
fault is shown in its smallest configuration, and asserted silent in the one in which a hasty test would look.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sharedstate.faults.table import Fault, Names, Probe

UNIT = "06_kv_cache"
LIMIT = 1e-4
ORACLE = "last logits with the cache against the model without one: float32, 1e-4"
RIGHT = "the same pieces through the right box (Cards, causal mask)"
ALONE, ONES, THREES = (12,), (4, 1, 1), (4, 3)

Cut = tuple[tuple[int, ...], int]


@dataclass(frozen=True)
class Way:
    """How a text is fed: the model's own mask, and the box and the mask of the steps, by their names in the lesson."""

    model: str = "causal_mask"
    box: str = "Cards"
    steps: str = "causal_mask"

    def difference(self, names: Names, lengths: tuple[int, ...], layers: int = 2) -> float:
        """Return the largest difference of the last logits when the lesson's letter is fed in these pieces."""
        model, text = names["model_of"](layers, names[self.model]), names["letter"][:, : sum(lengths)]
        return names["apart"](model, list(lengths), text, box=names[self.box], mask=names[self.steps])

    def seen_only(self, loud: Cut, *silent: Cut) -> Probe:
        """Return a probe: seen on the cut `loud`, and on none of the silent ones. A cut is (pieces, layers)."""

        def show(names: Names) -> bool:
            quiet = all(self.difference(names, *cut) < LIMIT for cut in silent)
            return quiet and self.difference(names, *loud) > 10 * LIMIT

        return show


def clean(names: Names) -> bool:
    """The right box agrees on every cut, through one layer and through two."""
    return all(Way().difference(names, cut, layers) < LIMIT for cut in (ALONE, ONES, THREES) for layers in (1, 2))


def second_is_wrong(names: Names) -> bool:
    """Two equal texts through the function with the default box: the first is right, the second is not."""
    first, second = (_against_alone(names, names["handy"]) for _ in range(2))
    return first < LIMIT and second > 10 * LIMIT


def box_is_lost(names: Names) -> bool:
    """A new box stays empty; a box with a card in it is used (silent)."""
    new, used = names["Cards"](2), names["Cards"](2)
    letter, model = names["letter"], names["model"]
    names["step"](model, letter[:, :1], used)
    for box in (new, used):
        names["repaired"](model, letter[:, 1:5], box)
    return len(new) == 0 and len(used) == 5


def given_boxes_hold(names: Names) -> bool:
    """The control: with the box named at every call both functions are right, and the box that has cards keeps all."""
    boxes = [names["Cards"](2) for _ in range(2)]
    return all(_against_alone(names, names["handy"], box) < LIMIT and len(box) == 24 for box in boxes)


def asks_right(names: Names) -> bool:
    """The fix: two texts are both right without a box, and a new box is filled."""
    box = names["Cards"](2)
    names["asks"](names["model"], names["letter"][:, :5], box)
    return all(_against_alone(names, names["asks"]) < LIMIT for _ in range(2)) and len(box) == 5


def _against_alone(names: Names, answer: Callable, *box: object) -> float:
    """How far the answer to the lesson's letter is from the model's own."""
    return (answer(names["model"], names["letter"], *box) - names["model"](names["letter"])).abs().max().item()


# --- plans


def _every(*probes: Probe) -> Probe:
    return lambda names: all(probe(names) for probe in probes)


def counted(kv_heads: int, times: int) -> Probe:
    """Return a probe: the popular formula gives so many times the bytes of real tensors."""

    def probe(names: Names) -> bool:
        model = names["model_of"](num_kv_heads=kv_heads)
        return names["popular"](model.config, 24, 4) == times * _held(names, model)

    return probe


def counts_what_is_held(names: Names) -> bool:
    """The fix counts KV heads: equal to real tensors, and to the lesson's own count of them, for each grouping."""
    models = [names["model_of"](num_kv_heads=heads) for heads in (4, 2, 1)]
    held = [names["cache_bytes"](model.config, "float32", 24) for model in models]
    return held == [_held(names, model) for model in models] == [names["held"](model) for model in models]


def _held(names: Names, model: Any) -> int:
    """Real bytes of the box that holds the lesson's letter."""
    cards = names["Cards"](len(model.layers))
    names["step"](model, names["letter"], cards)
    return sum(part.nbytes for pieces in cards.kv for pair in pieces for part in pair)


def fits(names: Names, batch: int) -> bool:
    """Does that batch of 4,096 tokens fit a device of 32 GiB beside the large model's weights?"""
    large = names["GPTConfig"](32000, 32, 4096, 32, d_hidden=11008)
    return names["plan"](large, "float16", 4096, batch, 32, names["weight_bytes"](large, "float16")).fits


def mean_fits_peak_does_not(names: Names) -> bool:
    """The plan for the mean says yes to a day whose fullest hour does not fit."""
    running = names["running"]
    return fits(names, names["by_average"](running)) and not all(fits(names, batch) for batch in running)


def steady_day(names: Names) -> bool:
    """With the same load at every hour the mean is the peak (silent)."""
    return names["by_average"]([3, 3, 3]) == 3 and fits(names, 3)


def peak_is_planned(names: Names) -> bool:
    """The fix says no to that day, and yes to every hour of a day to which it says yes."""
    calm = [1, 2, 5, 3]
    return not fits(names, names["by_peak"](names["running"])) and fits(names, names["by_peak"](calm)) and all(
        fits(names, batch) for batch in calm)


def _box(name: str, fix: str, show: Probe) -> Fault:
    """A fault of the box; control and fix are the right box of the lesson's setup cells."""
    return Fault(name, UNIT, ORACLE, RIGHT, fix, show, clean, clean)


FAULTS: tuple[Fault, ...] = (
    _box("cache-without-causality", "a causal model; one that looks both ways is computed anew",
         Way(model="full_mask", steps="full_mask").seen_only((ONES, 2), (ONES, 1), (ALONE, 2))),
    _box("cache-positions-restart", "a piece begins at the number of cards in the box",
         Way(box="Restarts").seen_only((ONES, 2), (ALONE, 1), (ALONE, 2))),
    _box("cache-one-box", "a list of its own for each layer",
         Way(box="OneBox").seen_only((ALONE, 2), (ALONE, 1), (ONES, 1), (THREES, 1))),
    _box("cache-newest-first", "append behind the older cards: a mask counts places",
         Way(box="NewestFirst").seen_only((THREES, 2), (ALONE, 2), (ONES, 2))),
    _box("cache-piece-without-mask", "the causal mask, counted from the bottom right, for every piece",
         Way(steps="no_mask").seen_only((THREES, 2), (ALONE, 2), (ONES, 2), (THREES, 1))),
    Fault("cache-default-argument", UNIT, "the same text twice, each against the model without a cache",
          "the box named at every call", "no default box: None, and a new box for each text (asks)",
          second_is_wrong, given_boxes_hold, asks_right),
    Fault("cache-empty-is-false", UNIT, "count the cards in the caller's box after the call",
          "the box named at every call", "ask `is None`, not whether the box counts as true (asks)",
          box_is_lost, given_boxes_hold, asks_right),
    Fault("plan-counts-query-heads", UNIT, "bytes of real tensors against the formula",
          "as many KV heads as query heads: the formula is right", "count the KV heads",
          _every(counted(2, 2), counted(1, 4)), counted(4, 1), counts_what_is_held),
    Fault("plan-average-batch", UNIT, "the plan's yes against every hour of the day",
          "a day on which every hour is alike", "plan for the fullest hour",
          mean_fits_peak_does_not, steady_day, peak_is_planned),
)
