"""Cached equals uncached: for every number of key/value heads, every kind of position, every split of the tokens."""

from __future__ import annotations

from itertools import pairwise

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sharedstate.kvcache import CacheFull, Interrupted, SlotCache, cached_forward, interrupt_once
from sharedstate.model import GPT, GPTConfig, full_mask

VOCAB, CAPACITY = 12, 24
TOLERANCE = {torch.float64: 1e-12, torch.float32: 1e-4}


def build(kv_heads: int, positions: str = "rope", dtype: torch.dtype = torch.float64, **options: object) -> GPT:
    """A small model with four heads and so many for keys and values: 4 is MHA, 2 GQA, 1 MQA."""
    shape = GPTConfig(VOCAB, 2, 16, num_heads=4, num_kv_heads=kv_heads, max_len=CAPACITY, positions=positions)
    return GPT(shape, seed=kv_heads, **options).to(dtype)


def in_parts(model: GPT, tokens: list[int], cuts: list[int], slots: int = 1, slot: int = 0) -> torch.Tensor:
    """Feed the tokens in pieces through a cache."""
    cache = SlotCache.for_model(model, slots, CAPACITY)
    for name in range(slot + 1):
        cache.allocate(f"request {name}")
    edges = [0, *sorted(set(cuts) - {0, len(tokens)}), len(tokens)]
    pieces = [torch.tensor(tokens[a:b]) for a, b in pairwise(edges)]
    return torch.cat([cached_forward(model, piece, cache, slot) for piece in pieces])


@st.composite
def split_tokens(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Some tokens, and where to cut them."""
    tokens = draw(st.lists(st.integers(0, VOCAB - 1), min_size=1, max_size=CAPACITY))
    return tokens, draw(st.lists(st.integers(1, len(tokens)), max_size=len(tokens)))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(split_tokens(), st.sampled_from([1, 2, 4]), st.sampled_from(["rope", "learned", "none"]),
       st.sampled_from([torch.float64, torch.float32]))  # fmt: skip
def test_any_split_gives_what_the_whole_gives(
    split: tuple[list[int], list[int]], kv_heads: int, positions: str, dtype: torch.dtype
) -> None:
    tokens, cuts = split
    model = build(kv_heads, positions, dtype)
    with torch.no_grad():
        whole = model(torch.tensor([tokens]))[0]
    found = in_parts(model, tokens, cuts)
    assert found.dtype == dtype
    assert (found - whole).abs().max() < TOLERANCE[dtype]


@pytest.mark.parametrize("kv_heads", [1, 2, 4])
def test_one_token_at_a_time_in_the_second_slot(kv_heads: int) -> None:
    model, tokens = build(kv_heads), [3, 1, 4, 1, 5, 9, 2, 6]
    with torch.no_grad():
        whole = model(torch.tensor([tokens]))[0]
    found = in_parts(model, tokens, list(range(1, 8)), slots=3, slot=1)
    assert (found - whole).abs().max() < 1e-12


def test_the_comparison_sees_a_model_that_is_not_causal() -> None:
    model, tokens = build(2, mask=full_mask), [3, 1, 4, 1, 5, 9]
    with torch.no_grad():
        whole = model(torch.tensor([tokens]))[0]
    assert (in_parts(model, tokens, []) - whole).abs().max() < 1e-12
    assert (in_parts(model, tokens, [3]) - whole).abs().max() > 1e-3


@pytest.mark.parametrize("shift", [-1, 1])
def test_the_comparison_sees_positions_that_are_off_by_one(shift: int) -> None:
    model, tokens = build(2, "learned"), [3, 1, 4, 1, 5]
    cache = SlotCache.for_model(model, 1, CAPACITY)
    cached_forward(model, torch.tensor(tokens[:3]), cache, cache.allocate("a"))
    plain = model.embed
    model.embed = lambda tokens, position_ids: plain(tokens, position_ids + shift)
    with torch.no_grad():
        whole = build(2, "learned")(torch.tensor([tokens]))[0, 3:]
    assert (cached_forward(model, torch.tensor(tokens[3:]), cache, 0) - whole).abs().max() > 1e-4


def books(cache: SlotCache) -> tuple:
    """What a failed call must leave alone."""
    data = [cache.view(slot, layer) for slot in range(cache.num_slots) for layer in range(cache.num_layers)]
    valid = [(k.tolist(), v.tolist()) for k, v in data]
    return tuple(cache.owners), cache.lengths, tuple(cache.epochs), valid


@pytest.mark.parametrize("place", ["layers.0", "layers.1.self_attn.o_proj", "norm", "lm_head"])
def test_a_failure_anywhere_leaves_the_cache_as_it_was_and_a_retry_is_right(tiny: GPT, place: str) -> None:
    cache = SlotCache.for_model(tiny, 2, CAPACITY)
    slot = cache.allocate("a")
    cached_forward(tiny, torch.tensor([1, 2, 3]), cache, slot)
    before = books(cache)
    place = "layers.0.mlp" if place == "layers.0" else place
    with interrupt_once(tiny.get_submodule(place)), pytest.raises(Interrupted):
        cached_forward(tiny, torch.tensor([4, 5]), cache, slot)
    assert books(cache) == before
    again = cached_forward(tiny, torch.tensor([4, 5]), cache, slot)
    with torch.no_grad():
        whole = tiny(torch.tensor([[1, 2, 3, 4, 5]]))[0, 3:]
    assert (again - whole).abs().max() < 1e-12


def test_what_does_not_fit_is_refused_before_anything_is_computed(tiny: GPT) -> None:
    cache = SlotCache.for_model(tiny, 1, 4)
    cached_forward(tiny, torch.tensor([1, 2, 3]), cache, cache.allocate("a"))
    before = books(cache)
    with pytest.raises(CacheFull, match="larger capacity"):
        cached_forward(tiny, torch.tensor([4, 5]), cache, 0)
    assert books(cache) == before


@pytest.mark.parametrize("tokens", [torch.tensor([[1, 2]]), torch.tensor([], dtype=torch.long), [1, 2]])
def test_tokens_of_a_wrong_shape(tiny: GPT, tokens: object) -> None:
    cache = SlotCache.for_model(tiny, 1, 4)
    cache.allocate("a")
    with pytest.raises(ValueError, match=r"tokens must be one request's, \[T\]"):
        cached_forward(tiny, tokens, cache, 0)


def test_a_free_slot_takes_nothing(tiny: GPT) -> None:
    cache = SlotCache.for_model(tiny, 1, 4)
    with pytest.raises(ValueError, match="allocate it first"):
        cached_forward(tiny, torch.tensor([1]), cache, 0)
    assert cache.lengths == ((0, 0),)
