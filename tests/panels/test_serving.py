"""The panels of unit 09: what they say follows from what is served, and settings that cannot be are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from sharedstate.model import GPT, GPTConfig
from sharedstate.panels.serving import (
    BitsChoice,
    KneeChoice,
    SeedChoice,
    bits_panel,
    knee_panel,
    run_bits,
    run_seeds,
    seed_panel,
)
from sharedstate.serving import Engine, Runner, draw

MODEL = GPT(GPTConfig(vocab_size=61, num_heads=4, num_kv_heads=2, max_len=512), seed=3)


@pytest.fixture(autouse=True)
def one_thread() -> object:
    """One thread while a test runs: two of them wait for each other where others work too."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class OneForAll(Engine):
    """One generator for the whole batch."""

    def choose(self, logits: Tensor, rows: list) -> list:
        self.dice = getattr(self, "dice", None) or np.random.default_rng(0)
        numbers = {live.request.id: self.dice.random() for live in sorted(rows, key=lambda live: live.epoch)}
        return draw(logits, [live.request.sampling for live in rows], [numbers[live.request.id] for live in rows])


class LargeFirst(Runner):
    """From five rows on the same sum in another order."""

    def linear(self, x: Tensor, weight: Tensor) -> Tensor:
        return x @ weight if len(x) <= 4 else (x @ weight + 10_000) - 10_000


class LongestMask(Runner):
    """Everybody looks at as many keys as the longest."""

    def mask(self, group: Any) -> Tensor:
        return super().mask(group).amax(0, keepdim=True)


def test_the_knee_follows_memory_and_the_slider_counts_nothing_anew() -> None:
    panel = knee_panel(mix="equal", batch=4, memory="32 blocks")
    assert panel.shown.title == "equal: the knee is at 16, the blocks are full"
    (kept,) = panel.sweeps.values()
    panel.batch.value = 32
    assert list(panel.sweeps.values()) == [kept] and "batch size 32" in panel.line.value
    assert 'data-preemptions="0"' not in panel.figure.value
    assert all(opened.throughput >= kept["static"][n].throughput for n, opened in kept["continuous"].items())


def test_one_generator_for_all_changes_the_second_token_and_its_own_changes_none() -> None:
    shared = run_seeds(SeedChoice(4, 1), OneForAll, MODEL)
    assert shared.first == 2 and shared.title == "Ann's text changes at token 2"
    assert run_seeds(SeedChoice(4, 0), OneForAll, MODEL).first is None
    own = run_seeds(SeedChoice(4, 3, True), Engine, MODEL)
    assert own.first is None and own.title == "Neighbours change no token of Ann's"
    assert run_seeds(SeedChoice(5, 0), Engine, MODEL).rows["alone"] != own.rows["alone"]


@pytest.mark.parametrize(("runner", "off", "on"), [
    (Runner, "Below the tolerance: rounding?", "Alone or together: not a bit differs"),
    (LargeFirst, "Above the tolerance: rounding or leak?", "Refused: this engine cannot keep the promise"),
    (LongestMask, "Above the tolerance: rounding or leak?", "In the mode any difference is a leak")])
def test_the_mode_tells_a_leak_from_rounding(runner: type[Runner], off: str, on: str) -> None:
    assert [run_bits(BitsChoice(4, mode), runner, MODEL).title for mode in (False, True)] == [off, on]


def test_the_panels_follow_their_controls() -> None:
    seeds = seed_panel({"one for all": OneForAll, "its own": Engine}, MODEL)
    assert 'data-first="2"' in seeds.figure.value and "one for all: seed 1, 1 neighbour" in seeds.line.value
    seeds.engine.value = "its own"
    assert 'data-first="0"' in seeds.figure.value
    bits = bits_panel({"right": Runner, "large first": LargeFirst}, MODEL)
    assert 'data-largest="0"' not in bits.figure.value
    bits.deterministic.value = True
    assert 'data-largest="0"' in bits.figure.value and "not a bit" in bits.shown.title
    bits.runner.value = "large first"
    assert "the product for qkv gives other bits" in bits.line.value and "<img" not in bits.figure.value


@pytest.mark.parametrize("make", [
    lambda: knee_panel(mix="odd"), lambda: knee_panel(batch=3), lambda: KneeChoice(batch=True),
    lambda: seed_panel({}, MODEL), lambda: seed_panel({"x": Runner}, MODEL),
    lambda: seed_panel({"x": Engine}, MODEL, s=1),
    lambda: seed_panel({"x": Engine}, MODEL, neighbours=9), lambda: bits_panel({"x": Runner}, MODEL, batch=3),
    lambda: bits_panel({"x": Engine}, MODEL), lambda: bits_panel([Runner], MODEL)])
def test_what_the_controls_do_not_offer_is_refused(make: Any) -> None:
    with pytest.raises(ValueError, match=r"use one of|has no setting|at least one class"):
        make()
