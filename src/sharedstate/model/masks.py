"""Attention masks: boolean, True = may look, aligned at the bottom right.

The last query is the newest token, so query i of q_len stands at position kv_len - q_len + i (bottom right).
torch's scaled_dot_product_attention reads a boolean mask the same way, nn.MultiheadAttention inverted.
"""

from __future__ import annotations

import torch
from torch import Tensor


def query_positions(q_len: int, kv_len: int) -> Tensor:
    """Return the position of each query, [q_len]: the last query stands at the last key."""
    return torch.arange(kv_len - q_len, kv_len)  # [Q]


def causal_mask(q_len: int, kv_len: int) -> Tensor:
    """Return [q_len, kv_len]: a query looks at keys up to its own position.

    With more queries than keys the first rows are empty (a softmax over them is NaN).
    """
    _check_lengths(q_len, kv_len)
    query = query_positions(q_len, kv_len)[:, None]  # [Q, 1]
    key = torch.arange(kv_len)[None, :]  # [1, K]
    return key <= query  # [Q, K]


def sliding_window_mask(q_len: int, kv_len: int, window: int) -> Tensor:
    """Return [q_len, kv_len]: causal, and only the last `window` keys, the query's own included.

    Raises ValueError for a window below 1.
    """
    if window < 1:
        raise ValueError(f"A window holds at least the query's own key: window is {window}, use 1 or more.")
    query = query_positions(q_len, kv_len)[:, None]  # [Q, 1]
    key = torch.arange(kv_len)[None, :]  # [1, K]
    return causal_mask(q_len, kv_len) & (key > query - window)  # [Q, K]


def prefix_mask(q_len: int, kv_len: int, prefix_len: int) -> Tensor:
    """Return [q_len, kv_len]: causal, except that everybody looks at the first `prefix_len` keys.

    Inside the prefix it is bidirectional (a prefix language model). Raises ValueError for a bad prefix_len.
    """
    if not 0 <= prefix_len <= kv_len:
        raise ValueError(f"prefix_len is {prefix_len}, it must lie between 0 and kv_len = {kv_len}.")
    key = torch.arange(kv_len)[None, :]  # [1, K]
    return causal_mask(q_len, kv_len) | (key < prefix_len)  # [Q, K]


def full_mask(q_len: int, kv_len: int) -> Tensor:
    """Return [q_len, kv_len], all True: everybody looks at everything, the future included."""
    _check_lengths(q_len, kv_len)
    return torch.ones(q_len, kv_len, dtype=torch.bool)  # [Q, K]


def padding_mask(attention_mask: Tensor) -> Tensor:
    """Turn [B, kv_len] (1 = a token, 0 = padding) into [B, 1, 1, kv_len]: nobody looks at padding.

    Raises ValueError when the input is not two-dimensional.
    """
    if attention_mask.dim() != 2:
        raise ValueError(f"attention_mask must be [B, kv_len], not {list(attention_mask.shape)}.")
    return attention_mask.bool()[:, None, None, :]  # [B, 1, 1, K]


def attention_mask_of(lengths: list[int] | Tensor, kv_len: int, side: str = "left") -> Tensor:
    """Return [B, kv_len], True = a token, for rows of these lengths, padded at the "left" or "right".

    Raises ValueError for another side or a length outside 0 to kv_len.
    """
    length = torch.as_tensor(lengths)[:, None]  # [B, 1], on the device of the lengths
    if side not in ("left", "right"):
        raise ValueError(f'side is {side!r}, it must be "left" or "right".')
    if not length.is_meta and bool((length < 0).any() or (length > kv_len).any()):
        raise ValueError(f"Every length must lie between 0 and kv_len = {kv_len}: {length[:, 0].tolist()}.")
    key = torch.arange(kv_len, device=length.device)[None, :]  # [1, K]
    return key < length if side == "right" else key >= kv_len - length  # [B, K]


def combine(*masks: Tensor) -> Tensor:
    """Return the masks joined by AND, broadcast: a query looks where every mask lets it.

    Raises ValueError without a mask, TypeError for a mask that is not boolean.
    """
    if not masks:
        raise ValueError("combine needs at least one mask.")
    joined = torch.ones((), dtype=torch.bool, device=masks[0].device)
    for mask in masks:
        if mask.dtype != torch.bool:
            raise TypeError(f"A mask is boolean here (True = may look), not {mask.dtype}: use mask.bool().")
        joined = joined & mask
    return joined


def empty_rows(mask: Tensor) -> Tensor:
    """Return [..., q_len]: True for a query that may look at nothing. Its softmax would be NaN."""
    return ~mask.any(dim=-1)  # [..., Q]


def open_empty_rows(mask: Tensor) -> Tensor:
    """Let every query that may look at nothing look at its own key, so that no NaN arises.

    Such a query is padding itself; nobody looks at it, so its output does not matter, but NaN would spread.
    """
    q_len, kv_len = mask.shape[-2:]
    query = query_positions(q_len, kv_len).to(mask.device)[:, None]  # [Q, 1]
    own = query == torch.arange(kv_len, device=mask.device)[None, :]  # [Q, K]
    return mask | (empty_rows(mask)[..., None] & own)  # [..., Q, K]


def _check_lengths(q_len: int, kv_len: int) -> None:
    if q_len < 1 or kv_len < 1:
        raise ValueError(f"q_len and kv_len must be 1 or more, not {q_len} and {kv_len}.")
