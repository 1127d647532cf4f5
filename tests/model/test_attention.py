"""Attention by hand against torch's, and the isolation of heads and of time: exact zeros, no tolerance."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.autograd.functional import jacobian
from torch.nn.functional import scaled_dot_product_attention
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from sharedstate.model import (
    MultiHeadAttention,
    attention,
    attention_weights,
    merge_heads,
    seeded,
    split_heads,
)
from sharedstate.model.masks import causal_mask, padding_mask

HEADS, LENGTH, WIDTH = 4, 5, 8


def draw(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, generator=seeded(seed), dtype=torch.float64)


def layer(num_kv_heads: int = HEADS) -> MultiHeadAttention:
    return MultiHeadAttention(WIDTH, HEADS, num_kv_heads, generator=seeded(1)).double()


@pytest.mark.parametrize("num_kv_heads", [1, 2, 4])
@pytest.mark.parametrize(("q_len", "kv_len"), [(5, 5), (1, 7), (3, 7)])
def test_equals_torch_with_any_number_of_key_heads(num_kv_heads: int, q_len: int, kv_len: int) -> None:
    q = draw(2, 4, q_len, 6)
    k, v = draw(2, num_kv_heads, kv_len, 6, seed=1), draw(2, num_kv_heads, kv_len, 6, seed=2)
    mask = causal_mask(q_len, kv_len)
    theirs = scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
    assert torch.allclose(attention(q, k, v, mask), theirs, atol=1e-12)
    assert torch.allclose(attention(q, k, v), scaled_dot_product_attention(q, k, v, enable_gqa=True), atol=1e-12)


def test_rows_sum_to_one_and_the_future_weighs_exactly_nothing() -> None:
    weights = attention_weights(draw(2, 4, 5, 6), draw(2, 2, 5, 6, seed=1), causal_mask(5, 5))
    assert torch.allclose(weights.sum(dim=-1), torch.ones(2, 4, 5, dtype=torch.float64))
    assert (weights[..., ~causal_mask(5, 5)] == 0).all()


@pytest.mark.parametrize("size", [1e4, 2e9, 1e30])
def test_no_score_opens_the_mask(size: float) -> None:
    def adversarial(scores: Tensor) -> Tensor:
        return torch.where(causal_mask(5, 5), -size, size).to(scores).expand_as(scores)

    def finite(scores: Tensor) -> Tensor:
        return adversarial(scores) - 1e9 * ~causal_mask(5, 5)

    q, k = draw(1, 1, 5, 6), draw(1, 1, 5, 6, seed=1)
    weights = attention_weights(q, k, causal_mask(5, 5), adversarial)
    assert (weights[..., ~causal_mask(5, 5)] == 0).all()
    leaked = attention_weights(q, k, None, finite)[..., ~causal_mask(5, 5)].max() > 0.1
    assert leaked == (size > 1e9)


def test_an_empty_row_is_nan_and_stays_alone_in_one_layer() -> None:
    mask = torch.tensor([[False, False], [True, True]])
    out = attention(draw(1, 1, 2, 4), draw(1, 1, 2, 4), draw(1, 1, 2, 4), mask)
    assert out[0, 0, 0].isnan().all() and not out[0, 0, 1].isnan().any()


def test_one_nan_row_spreads_to_all_rows_by_the_second_layer() -> None:
    mask = causal_mask(4, 4) & padding_mask(torch.tensor([[0, 1, 1, 1]]))
    first, second = layer(), layer()
    x = draw(1, 4, WIDTH)
    once = first(x, mask)
    assert once[0].isnan().any(dim=-1).tolist() == [True, False, False, False]
    assert second(once, mask).isnan().all()


def test_split_and_merge_are_inverse() -> None:
    x = draw(2, 5, 12)
    assert split_heads(x, 3).shape == (2, 3, 5, 4)
    assert torch.equal(merge_heads(split_heads(x, 3)), x)
    assert torch.equal(split_heads(x, 3)[:, 1], x[:, :, 4:8])


# --- heads: who reads whose channels


def head_reads_head(split: object) -> Tensor:
    """Return [head, channel group]: the largest influence of a projection's channels on a head's answer."""

    def heads(projected: Tensor) -> Tensor:
        q = split(projected, HEADS)
        return attention(q, q, q, causal_mask(LENGTH, LENGTH))

    slopes = jacobian(heads, draw(1, LENGTH, HEADS * 2)).abs()[0, :, :, :, 0]  # [H, S, D, S, H * D]
    return slopes.unflatten(-1, (HEADS, 2)).amax(dim=(1, 2, 3, 5))  # [H, H]


def without_transpose(x: Tensor, num_heads: int) -> Tensor:
    """Return the popular wrong reshape, which has the right shape."""
    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)


def test_heads_are_isolated_exactly() -> None:
    influence = head_reads_head(split_heads)
    assert (influence[~torch.eye(HEADS).bool()] == 0).all()
    assert (influence.diagonal() > 0.01).all()


def time_reads_time(split: object, merge: object, length: int = 8) -> Tensor:
    """Return [S, S]: the largest influence of a position on a position, heads split and merged like this."""

    def out(x: Tensor) -> Tensor:
        heads = split(x, HEADS)
        return merge(attention(heads, heads, heads, causal_mask(length, length)))

    return jacobian(out, draw(1, length, WIDTH)).abs()[0, :, :, 0].amax(dim=(1, 3))


def test_the_wrong_reshape_mixes_every_pair_of_heads_and_lets_the_future_in() -> None:
    future, past = ~causal_mask(8, 8), causal_mask(8, 8)
    assert (head_reads_head(without_transpose)[~torch.eye(HEADS).bool()] > 0).sum() == 12
    assert (time_reads_time(without_transpose, merge_heads)[future] > 0).sum() == 16
    undone = time_reads_time(without_transpose, lambda heads: heads.reshape(1, 8, WIDTH))
    assert ((undone[future] > 0).sum(), (undone[past] == 0).sum()) == (0, 24)
    right = time_reads_time(split_heads, merge_heads)
    assert torch.equal(right > 0, past)


@pytest.mark.parametrize("num_kv_heads", [2, 4])
def test_a_heads_answer_has_no_gradient_in_another_heads_weights(num_kv_heads: int) -> None:
    module, x = layer(num_kv_heads), draw(1, LENGTH, WIDTH)
    group = HEADS // num_kv_heads
    assert module.k_proj.weight.shape == (WIDTH // group, WIDTH)
    for head in range(HEADS):
        module.zero_grad()
        module.heads(x, causal_mask(LENGTH, LENGTH))[:, head].pow(2).sum().backward()
        rows = module.q_proj.weight.grad.unflatten(0, (HEADS, -1)).abs().amax(dim=(1, 2))  # [H]
        assert (rows > 0).tolist() == [other == head for other in range(HEADS)]
        for projection in (module.k_proj, module.v_proj):
            rows = projection.weight.grad.unflatten(0, (num_kv_heads, -1)).abs().amax(dim=(1, 2))  # [Hkv]
            assert (rows > 0).tolist() == [other == head // group for other in range(num_kv_heads)]


def test_the_output_projection_shares_the_heads_again() -> None:
    module, x = layer(), draw(1, LENGTH, WIDTH)
    module(x, causal_mask(LENGTH, LENGTH))[..., 0].pow(2).sum().backward()
    rows = module.q_proj.weight.grad.unflatten(0, (HEADS, -1)).abs().amax(dim=(1, 2))
    assert (rows > 0).all()


def test_one_shared_projection_makes_all_heads_equal() -> None:
    module = layer()
    with torch.no_grad():
        for projection in (module.q_proj, module.k_proj, module.v_proj):
            projection.weight.copy_(projection.weight[: WIDTH // HEADS].repeat(HEADS, 1))
    heads = module.heads(draw(1, LENGTH, WIDTH), causal_mask(LENGTH, LENGTH))  # [1, H, S, D]
    assert torch.equal(heads, heads[:, :1].expand_as(heads))
    assert not torch.equal(layer().heads(draw(1, LENGTH, WIDTH))[:, 0], heads[:, 0])


# --- time


@pytest.mark.parametrize("num_kv_heads", [1, 4])
def test_the_future_has_no_influence_at_all_and_the_past_has(num_kv_heads: int) -> None:
    module = layer(num_kv_heads)
    slopes = jacobian(lambda x: module(x, causal_mask(LENGTH, LENGTH)), draw(1, LENGTH, WIDTH))
    influence = slopes.abs()[0, :, :, 0].amax(dim=(1, 3))  # [S, S]
    assert torch.equal(influence != 0, causal_mask(LENGTH, LENGTH))


def test_bad_shapes_are_refused_with_words() -> None:
    with pytest.raises(ValueError, match="3 heads do not divide 8"):
        split_heads(torch.zeros(1, 2, 8), 3)
    with pytest.raises(ValueError, match="3 key heads do not divide 4"):
        attention(torch.zeros(1, 4, 2, 2), torch.zeros(1, 3, 2, 2), torch.zeros(1, 3, 2, 2))
    with pytest.raises(ValueError, match="must divide"):
        MultiHeadAttention(8, 3, generator=seeded(0))


class Allocated(TorchDispatchMode):
    """The bytes of every new storage that an operation returns, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = tree_leaves((args, kwargs))
        known = {one.untyped_storage().data_ptr() for one in given if isinstance(one, Tensor)}
        answer = func(*args, **(kwargs or {}))
        for one in tree_leaves(answer):
            if isinstance(one, Tensor) and one.untyped_storage().data_ptr() not in known:
                self.sizes.append(one.untyped_storage().nbytes())
        return answer


@pytest.mark.parametrize("queries", [1, 4])
def test_grouped_heads_allocate_the_scores_and_the_answer_only(queries: int) -> None:
    heads, kv_heads, keys, size = 32, 8, 8192, 16
    q = torch.randn(1, heads, queries, size, generator=seeded(1))
    k, v = (torch.randn(1, kv_heads, keys, size, generator=seeded(n)) for n in (2, 3))
    scores, answer = 4 * heads * queries * keys, 4 * heads * queries * size
    with torch.no_grad(), Allocated() as seen:
        attention(q, k, v)
    assert seen.sizes == [scores, answer]
    mask = causal_mask(queries, keys)
    with torch.no_grad(), Allocated() as seen:
        attention(q, k, v, mask)
    assert seen.sizes == [scores, 4, answer]  # and one number, minus infinity
    with torch.no_grad(), Allocated() as seen:  # as it was: each head its own copy of the keys
        q @ k.repeat_interleave(heads // kv_heads, 1).transpose(-2, -1)
    assert max(seen.sizes) == 4 * heads * keys * size


@pytest.mark.parametrize("kv_heads", [1, 2, 4])
@pytest.mark.parametrize("queries", [1, 3])
def test_grouped_heads_are_plain_heads_with_repeated_keys(kv_heads: int, queries: int) -> None:
    q, k, v = (torch.randn(2, heads, length, 8, generator=seeded(7), dtype=torch.float64)
               for heads, length in ((4, queries), (kv_heads, 5), (kv_heads, 5)))  # fmt: skip
    mask = causal_mask(queries, 5)
    repeated = [part.repeat_interleave(4 // kv_heads, 1) for part in (k, v)]
    assert torch.allclose(attention(q, k, v, mask), attention(q, *repeated, mask), atol=1e-14)
    before = [part.clone() for part in (q, k, v)]
    kept: list[Tensor] = []
    attention(q, k, v, mask, lambda scores: kept.append(scores) or scores)
    assert bool((kept[0].max() > 1) | (kept[0].min() < 0))  # what a hook was given is not overwritten by the weights
    assert all(torch.equal(a, b) for a, b in zip(before, (q, k, v), strict=True))
