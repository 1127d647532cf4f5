"""Masks against torch's and transformers' own, on shapes, windows and paddings that Hypothesis draws."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.attention.bias import causal_lower_right
from transformers import DynamicCache, LlamaConfig
from transformers.masking_utils import (
    causal_mask_function,
    create_causal_mask,
    create_sliding_window_causal_mask,
    or_masks,
    sdpa_mask,
    sliding_window_causal_mask_function,
)

from sharedstate.model.masks import (
    attention_mask_of,
    causal_mask,
    combine,
    empty_rows,
    full_mask,
    open_empty_rows,
    padding_mask,
    prefix_mask,
    sliding_window_mask,
)

LENGTHS = st.integers(1, 12)
MANY = settings(max_examples=300, deadline=None, derandomize=True, database=None)


def theirs(rule: object, q_len: int, kv_len: int, tokens: Tensor | None = None) -> Tensor:
    """Return transformers' mask [B, 1, q_len, kv_len] for the last q_len of kv_len positions."""
    batch = 1 if tokens is None else len(tokens)
    return sdpa_mask(
        batch, q_len, kv_len, q_offset=kv_len - q_len, mask_function=rule, attention_mask=tokens,
        allow_is_causal_skip=False,
    )  # fmt: skip


def paddings(kv_len: int) -> st.SearchStrategy[Tensor]:
    """Draw [B, kv_len] of tokens (True) and padding: left, right, or anywhere."""
    lengths = st.lists(st.integers(0, kv_len), min_size=1, max_size=3)
    side = st.sampled_from(["left", "right"])
    row = st.lists(st.booleans(), min_size=kv_len, max_size=kv_len)
    anywhere = st.lists(row, min_size=1, max_size=3).map(torch.tensor)
    return st.builds(lambda ls, s: attention_mask_of(ls, kv_len, s), lengths, side) | anywhere


@MANY
@pytest.mark.filterwarnings("ignore:Lower right causal bias")
@given(q_len=LENGTHS, kv_len=LENGTHS, window=st.integers(1, 14), data=st.data())
def test_masks_agree_with_torch_and_transformers(q_len: int, kv_len: int, window: int, data: st.DataObject) -> None:
    tokens = data.draw(paddings(kv_len))
    prefix = data.draw(st.integers(0, kv_len))
    assert torch.equal(causal_mask(q_len, kv_len), causal_lower_right(q_len, kv_len)._materialize())
    rules = (
        (causal_mask(q_len, kv_len), causal_mask_function),
        (sliding_window_mask(q_len, kv_len, window), sliding_window_causal_mask_function(window)),
        (prefix_mask(q_len, kv_len, prefix), or_masks(causal_mask_function, lambda b, h, q, k: k < prefix)),
        (full_mask(q_len, kv_len), lambda b, h, q, k: (k >= 0) | (q >= k)),
    )
    for ours, rule in rules:
        assert torch.equal(ours, theirs(rule, q_len, kv_len)[0, 0])
        padded = combine(ours, padding_mask(tokens))
        assert torch.equal(padded, theirs(rule, q_len, kv_len, tokens))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("past", "new"), [(0, 1), (0, 5), (3, 1), (3, 4), (7, 2)])
@pytest.mark.parametrize("lengths", [None, [2, 9], [9, 1]])
def test_masks_agree_with_what_a_transformers_model_builds(past: int, new: int, lengths: list[int] | None) -> None:
    kv_len, window = past + new, 3
    config = LlamaConfig(
        hidden_size=8, num_attention_heads=2, num_hidden_layers=1, vocab_size=5,
        sliding_window=window, attn_implementation="eager",
    )  # fmt: skip
    cache = DynamicCache()
    if past:
        cache.update(torch.zeros(2, 2, past, 4), torch.zeros(2, 2, past, 4), 0)
    tokens = None if lengths is None else attention_mask_of([min(n, kv_len) for n in lengths], kv_len)
    request = (config, torch.zeros(2, new, 8), tokens, cache)
    for build, ours in (
        (create_causal_mask, causal_mask(new, kv_len)),
        (create_sliding_window_causal_mask, sliding_window_mask(new, kv_len, window)),
    ):
        additive = build(*request, allow_is_causal_skip=False)  # 0 = may look, finfo.min = may not
        wanted = ours if tokens is None else combine(ours, padding_mask(tokens))
        assert torch.equal(additive == 0, wanted.expand(2, 1, new, kv_len))


def top_left(q_len: int, kv_len: int) -> Tensor:
    return torch.ones(q_len, kv_len).tril().bool()


def one_too_many(q_len: int, kv_len: int) -> Tensor:
    return torch.ones(q_len, kv_len).tril(kv_len - q_len + 1).bool()


def one_too_few(q_len: int, kv_len: int) -> Tensor:
    return torch.ones(q_len, kv_len).tril(kv_len - q_len - 1).bool()


@pytest.mark.parametrize("wrong", [top_left, one_too_many, one_too_few])
def test_the_comparison_sees_a_wrong_causal_mask(wrong: object) -> None:
    mask = wrong(2, 5)
    assert not torch.equal(mask, causal_lower_right(2, 5)._materialize())
    assert not torch.equal(mask, theirs(causal_mask_function, 2, 5)[0, 0])


def test_the_comparison_sees_an_inclusive_window_and_replaced_causality() -> None:
    inclusive = sliding_window_mask(4, 6, 3)
    assert not torch.equal(inclusive, theirs(sliding_window_causal_mask_function(2), 4, 6)[0, 0])
    tokens = attention_mask_of([2, 4], 4)
    only_padding = padding_mask(tokens).expand(2, 1, 4, 4)
    assert not torch.equal(only_padding, theirs(causal_mask_function, 4, 4, tokens))


def test_a_window_counts_the_query_itself() -> None:
    assert sliding_window_mask(4, 4, 1).equal(torch.eye(4).bool())
    assert sliding_window_mask(3, 5, 2).sum(dim=-1).tolist() == [2, 2, 2]


def test_padding_stands_where_it_was_asked_for() -> None:
    assert attention_mask_of([1, 3], 3).int().tolist() == [[0, 0, 1], [1, 1, 1]]
    assert attention_mask_of([1, 3], 3, "right").int().tolist() == [[1, 0, 0], [1, 1, 1]]


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(kv_len=LENGTHS, data=st.data())
def test_opening_empty_rows_changes_nothing_else(kv_len: int, data: st.DataObject) -> None:
    q_len = data.draw(st.integers(1, kv_len))
    mask = combine(causal_mask(q_len, kv_len), padding_mask(data.draw(paddings(kv_len))))
    opened = open_empty_rows(mask)
    was_empty = empty_rows(mask)
    assert not empty_rows(opened).any()
    assert torch.equal(opened[~was_empty], mask[~was_empty])
    assert (opened[was_empty].sum(dim=-1) == 1).all()
    assert not (opened & ~causal_mask(q_len, kv_len)).any()
    assert torch.equal(open_empty_rows(mask[0, 0]), opened[0, 0])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: causal_mask(0, 3), "1 or more"),
        (lambda: causal_mask(3, 0), "1 or more"),
        (lambda: sliding_window_mask(2, 2, 0), "use 1 or more"),
        (lambda: prefix_mask(2, 2, 3), "between 0 and kv_len"),
        (lambda: prefix_mask(2, 2, -1), "between 0 and kv_len"),
        (lambda: padding_mask(torch.ones(3)), "B, kv_len"),
        (lambda: attention_mask_of([1], 3, "up"), "left"),
        (lambda: attention_mask_of([4], 3), r"between 0 and kv_len = 3: \[4\]"),
        (lambda: attention_mask_of([-1], 3), "between 0 and kv_len"),
        (lambda: combine(), "at least one"),
    ],
)
def test_bad_input_is_refused_with_words(call: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()


def test_a_mask_of_numbers_is_refused() -> None:
    with pytest.raises(TypeError, match=r"mask\.bool"):
        combine(causal_mask(2, 2), torch.zeros(2, 2))
