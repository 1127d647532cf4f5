"""Attention by hand: who looks at whom is decided by one boolean mask.

Shapes: B batch, H heads, S positions, D head_dim; Q and K count queries and keys. Grouped-query attention (arXiv
2305.13245) copies no key and no value: the G query heads that share one key head are folded into the query length,
so that one product of [G * Q, D] and [D, K] serves them all. Memory: the scores and the answer, nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from sharedstate.model.layers import linear
from sharedstate.model.positions import Rope, apply_rope

ScoresHook = Callable[[Tensor], Tensor]
Attend = Callable[..., Tensor]


def attention_weights(
    q: Tensor, k: Tensor, mask: Tensor | None = None, scores_hook: ScoresHook | None = None
) -> Tensor:
    """Return how much each query takes from each key, [B, H, Q, K]; each row sums to 1.

    q is [B, H, Q, D], k is [B, num_kv_heads, K, D]; raises ValueError when num_kv_heads does not divide H.
    mask (True = may look) broadcasts to [B, H, Q, K]. scores_hook gets the raw scores, returns those to use.
    A query that may look at nothing gives NaN.
    """
    scores = _fold(q, k) @ k.transpose(-2, -1)  # [B, Hkv, G * Q, K]
    scores = _unfold(scores.mul_(q.shape[-1] ** -0.5), q.shape[2])  # [B, H, Q, K]
    if scores_hook is not None:
        scores = scores_hook(scores)  # [B, H, Q, K]
        return torch.softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf), dim=-1)
    if scores.requires_grad:
        return torch.softmax(scores if mask is None else scores.masked_fill_(~mask, -math.inf), dim=-1)
    if mask is not None:  # in place: the scores are ours, and no slope needs them
        torch.where(mask, scores, scores.new_full((), -math.inf), out=scores)  # [B, H, Q, K]
    return torch.softmax(scores, dim=-1, out=scores)  # [B, H, Q, K]


def attention(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scores_hook: ScoresHook | None = None
) -> Tensor:
    """Return the weighted mean of the values for each query, [B, H, Q, D]; v is shaped as k.

    See attention_weights for shapes and errors.
    """
    weights = attention_weights(q, k, mask, scores_hook)  # [B, H, Q, K]
    return _unfold(_fold(weights, v) @ v, q.shape[2])  # [B, H, Q, D]


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Cut [B, S, H * D] into heads [B, H, S, D]: first view, then transpose.

    Raises ValueError when num_heads does not divide the last axis.
    """
    if x.shape[-1] % num_heads:
        raise ValueError(f"{num_heads} heads do not divide {x.shape[-1]} channels.")
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)  # [B, H, S, D]


def merge_heads(x: Tensor) -> Tensor:
    """Put heads [B, H, S, D] side by side again, [B, S, H * D]: the inverse of split_heads."""
    return x.transpose(1, 2).flatten(2)  # [B, S, H * D]


class MultiHeadAttention(nn.Module):
    """Self-attention of several heads: shared input, own subspaces, shared again by the output projection."""

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        num_kv_heads: int | None = None,
        *,
        generator: torch.Generator,
        attend: Attend = attention,
    ) -> None:
        """Draw the weights from `generator`; `attend` is called as attend(q, k, v, mask).

        Raises ValueError when num_heads does not divide d_model, or num_kv_heads does not divide num_heads.
        """
        super().__init__()
        num_kv_heads = num_heads if num_kv_heads is None else num_kv_heads
        if d_model % num_heads or num_heads % num_kv_heads:
            raise ValueError(
                f"num_heads ({num_heads}) must divide d_model ({d_model}), "
                f"and num_kv_heads ({num_kv_heads}) must divide num_heads."
            )
        self.num_heads, self.num_kv_heads, self.attend = num_heads, num_kv_heads, attend
        kv_size = d_model // num_heads * num_kv_heads
        self.q_proj = linear(d_model, d_model, generator)
        self.k_proj = linear(d_model, kv_size, generator)
        self.v_proj = linear(d_model, kv_size, generator)
        self.o_proj = linear(d_model, d_model, generator)

    def heads(self, x: Tensor, mask: Tensor | None = None, rope: Rope | None = None) -> Tensor:
        """Return each head's answer before the output projection, [B, H, S, D], for x [B, S, d_model]."""
        q = split_heads(self.q_proj(x), self.num_heads)  # [B, H, S, D]
        k = split_heads(self.k_proj(x), self.num_kv_heads)  # [B, Hkv, S, D]
        v = split_heads(self.v_proj(x), self.num_kv_heads)  # [B, Hkv, S, D]
        if rope is not None:
            q, k = apply_rope(q, rope), apply_rope(k, rope)  # same shapes
        return self.attend(q, k, v, mask)  # [B, H, S, D]

    def forward(self, x: Tensor, mask: Tensor | None = None, rope: Rope | None = None) -> Tensor:
        """Return [B, S, d_model]: the heads side by side, mixed by the output projection."""
        return self.o_proj(merge_heads(self.heads(x, mask, rope)))  # [B, S, d_model]


def _fold(x: Tensor, k: Tensor) -> Tensor:
    """Lay the G query heads of each key head of k one after the other: [B, H, Q, X] to [B, Hkv, G * Q, X]."""
    if x.shape[1] % k.shape[1]:
        raise ValueError(f"{k.shape[1]} key heads do not divide {x.shape[1]} query heads.")
    return x.unflatten(1, (k.shape[1], -1)).flatten(2, 3)  # a view, unless the heads were transposed


def _unfold(x: Tensor, q_len: int) -> Tensor:
    """Give each query head its own place again: [B, Hkv, G * Q, X] to [B, H, Q, X], a view."""
    return x.unflatten(2, (-1, q_len)).flatten(1, 2)
