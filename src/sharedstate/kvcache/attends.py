"""Five right ways to attend under a mask, which differ in what they do with the data that is masked.

Each is called as attend(q, k, v, mask): q [B, H, Q, D], k and v [B, Hkv, K, D], mask boolean, True = may look.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from sharedstate.model import attention
from sharedstate.model.attention import Attend


def filled(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """Replace the masked scores by -inf, then softmax."""
    return attention(q, k, v, mask)  # [B, H, Q, D]


def added(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """Add 0 or -inf to the scores, then softmax."""
    bias = torch.zeros(mask.shape, dtype=q.dtype, device=q.device).masked_fill(~mask, -math.inf)  # [B, 1, Q, K]
    return attention(q, k, v, None, lambda scores: scores + bias)  # [B, H, Q, D]


def fused(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """Use torch's own kernel with the boolean mask."""
    return scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)  # [B, H, Q, D]


def selected(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """Put zeros in the place of values that no query of the row may look at."""
    dead = ~mask.any(dim=-2)[..., None]  # [B, 1, K, 1]
    return attention(q, k, v.masked_fill(dead, 0.0), mask)  # [B, H, Q, D]


def viewed(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """Compute each row by itself, on nothing but the columns that it may look at."""
    rows = []
    for b in range(len(q)):
        columns = mask[b].any(dim=-2)[0].nonzero()[:, 0]
        keys, values = k[b, :, columns], v[b, :, columns]  # [Hkv, valid, D] each
        rows.append(attention(q[b][None], keys[None], values[None], mask[b, ..., columns][None]))
    return torch.cat(rows)  # [B, H, Q, D]


RIGHT: Mapping[str, Attend] = MappingProxyType(
    {
        "filled with -inf": filled,
        "added -inf": added,
        "torch's fused kernel": fused,
        "dead values selected away": selected,
        "valid columns only": viewed,
    }
)
