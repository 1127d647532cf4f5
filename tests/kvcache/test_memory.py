"""The planner's bytes are those of real tensors, and it refuses exactly what will not fit."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sharedstate.kvcache import DoesNotFit, MemoryPlan, SlotCache, cache_bytes, plan, weight_bytes
from sharedstate.kvcache.memory import DTYPE_BYTES, GB, GIB, dtype_bytes
from sharedstate.model import GPT, GPTConfig

LARGE = GPTConfig(32000, 32, 4096, 32, d_hidden=11008)
TABLE = ((1024, 1, 0.5), (2048, 1, 1), (4096, 1, 2), (4096, 8, 16), (8192, 4, 16))


@pytest.mark.parametrize("kv_heads", [4, 2, 1])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_the_formula_is_what_real_tensors_take(kv_heads: int, dtype: torch.dtype) -> None:
    config = GPTConfig(vocab_size=16, num_layers=3, num_kv_heads=kv_heads)
    cache = SlotCache(5, 24, 3, kv_heads, config.head_dim, dtype=dtype)
    assert cache_bytes(config, dtype, 5 * 24) == cache.keys.nbytes + cache.values.nbytes
    assert plan(config, dtype, [3, 24, 7], batch=5).cache == cache.keys.nbytes + cache.values.nbytes


def test_the_names_of_number_formats_have_torchs_sizes() -> None:
    for name, size in DTYPE_BYTES.items():
        assert size == getattr(torch, name).itemsize == dtype_bytes(getattr(torch, name)) == dtype_bytes(name)
    with pytest.raises(ValueError, match="use one of"):
        dtype_bytes("float7")


@pytest.mark.parametrize(("length", "batch", "gib"), TABLE)
def test_the_popular_table_is_in_gib(length: int, batch: int, gib: float) -> None:
    found = plan(LARGE, "float16", length, batch, headroom=0)
    assert found.cache == gib * GIB and found.gib == gib and found.gb == gib * GIB / GB
    assert found.per_token == 512 * 1024


def test_grouped_heads_take_their_share() -> None:
    for kv_heads in (32, 8, 1):
        grouped = GPTConfig(32000, 32, 4096, 32, kv_heads, d_hidden=11008)
        assert cache_bytes(grouped, "float16", 4096) == 2 * GIB * kv_heads // 32


@pytest.mark.parametrize(
    "changes", [{}, {"num_kv_heads": 2}, {"positions": "learned"}, {"num_layers": 1, "d_hidden": 7}])
def test_the_weights_are_those_of_the_model(changes: dict) -> None:
    config = GPTConfig(vocab_size=50, **changes)
    assert weight_bytes(config, "float32") == sum(p.nbytes for p in GPT(config).parameters())


def test_a_plan_without_a_budget_says_what_is_needed() -> None:
    found = plan(LARGE, "float16", 4096, 8, weights_bytes=12 * GIB, headroom=0.25)
    assert found.parts == {"weights": 12 * GIB, "cache": 16 * GIB, "headroom": found.total - 28 * GIB}
    assert found.fits and found.require() is found and found.would_fit == ""
    assert 0.75 * found.total == pytest.approx(28 * GIB) and "budget" not in found.text


def test_what_does_not_fit_is_refused_with_what_would() -> None:
    found = plan(LARGE, "float16", [100, 8192, 300], 4, 24, 12 * GIB)
    assert not found.fits and found.length == 8192
    with pytest.raises(DoesNotFit) as refusal:
        found.require()
    assert (refusal.value.batch, refusal.value.length) == (1, 3072) == (found.largest_batch, found.longest)
    said = str(refusal.value)
    assert "4 slots of 8,192 tokens do not fit. What would: 1 slot of 8,192 tokens, or 3,072 tokens in each" in said
    assert "GiB" in said and "GB" in said and "a device of 37.34 GiB" in said
    one = plan(LARGE, "float16", 8192, 1, 24, 12 * GIB)
    assert one.fits and str(one).endswith("1 slot of 8,192 tokens fits.")


def test_weights_that_are_too_large_leave_nothing_to_advise_but_another_device() -> None:
    found = plan(LARGE, "float16", 8, 1, 4, 12 * GIB)
    assert (found.largest_batch, found.longest) == (0, 0)
    assert found.would_fit == "a device of 16.01 GiB" and "does not fit" in found.text


@settings(max_examples=60, deadline=None)
@given(length=st.integers(1, 5000), batch=st.integers(1, 60), budget=st.integers(1, 64), weights=st.integers(0, 20),
       percent=st.sampled_from([0, 20, 25, 30, 50]))
def test_the_advice_fits_and_one_more_does_not(
    length: int, batch: int, budget: int, weights: int, percent: int
) -> None:
    def made(length: int, batch: int) -> MemoryPlan:
        return plan(LARGE, "float16", length, batch, budget, weights * GIB, percent / 100)

    found = made(length, batch)
    assert found.fits == (100 * (found.weights + found.cache) <= (100 - percent) * found.budget)
    assert found.fits == (found.largest_batch >= batch) == (found.longest >= length)
    for fits, one_more, size in ((lambda n: made(length, n).fits, found.largest_batch + 1, found.largest_batch),
                                 (lambda n: made(n, batch).fits, found.longest + 1, found.longest)):
        assert not fits(one_more) and (size == 0 or fits(size))


@pytest.mark.parametrize(("wrong", "words"), [
    ({"lengths": 0}, "lengths"), ({"lengths": []}, "empty"), ({"lengths": [4, 2.5]}, r"lengths\[1\]"),
    ({"batch": 0}, "batch"), ({"batch": True}, "batch"), ({"headroom": 1}, "headroom"),
    ({"headroom": -0.1}, "headroom"), ({"budget_gib": 0}, "budget"), ({"budget_gib": float("nan")}, "budget"),
    ({"weights_bytes": -1}, "weights"), ({"dtype": "text"}, "dtype"),
])
def test_sizes_that_cannot_be_are_refused(wrong: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        plan(LARGE, **{"lengths": 8, **wrong})


def test_a_shape_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="num_layers"):
        cache_bytes(GPTConfig(8, num_layers=0), "float16", 1)
    with pytest.raises(ValueError, match="tokens"):
        cache_bytes(LARGE, "float16", -1)


@pytest.mark.parametrize("wrong", [
    {"config": "large"}, {"config": None}, {"dtype": 16}, {"lengths": 2.5}, {"lengths": None}, {"lengths": "many"},
    {"lengths": [1, "2"]}, {"batch": "2"}, {"batch": True}, {"budget_gib": "24"}, {"budget_gib": True},
    {"budget_gib": []}, {"weights_bytes": 1.5}, {"headroom": "a quarter"}, {"headroom": None},
    {"headroom": float("nan")},
], ids=str)
def test_what_can_be_no_size_is_refused_with_words(wrong: dict) -> None:
    given = {"config": LARGE, "lengths": 8, "budget_gib": 24, **wrong}
    with pytest.raises(ValueError, match=r"use |give |it is the share"):
        plan(**given)


def test_a_shape_that_is_none_is_named() -> None:
    for asked in (lambda: cache_bytes({}, "float16", 1), lambda: weight_bytes(32, "float16")):
        with pytest.raises(ValueError, match=r"config is of type (dict|int) .*: give a GPTConfig"):
            asked()
