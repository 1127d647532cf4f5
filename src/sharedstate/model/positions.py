"""Where a token stands: rotary tables (RoPE), and position ids that skip padding."""

from __future__ import annotations

import torch
from torch import Tensor

Rope = tuple[Tensor, Tensor]


def rope_tables(
    position_ids: Tensor, head_dim: int, theta: float = 10000.0, dtype: torch.dtype = torch.float32
) -> Rope:
    """Return cos and sin, each [B, 1, S, head_dim], for position_ids [B, S] (arXiv 2104.09864).

    Channel d turns with channel d + head_dim / 2, as in Llama. Raises ValueError for an odd head_dim.
    """
    if head_dim % 2:
        raise ValueError(f"RoPE turns pairs of channels: head_dim must be even, not {head_dim}.")
    precise = torch.promote_types(dtype, torch.float32)  # angles of bfloat16 would be far off
    power = torch.arange(0, head_dim, 2, device=position_ids.device).to(precise) / head_dim  # [D / 2]
    angles = position_ids[:, None, :, None].to(precise) * theta**-power  # [B, 1, S, D / 2]
    angles = torch.cat((angles, angles), dim=-1)  # [B, 1, S, D]
    return angles.cos().to(dtype), angles.sin().to(dtype)


def apply_rope(x: Tensor, rope: Rope) -> Tensor:
    """Turn x [B, H, S, D] by its positions: scores then depend on distances only."""
    cos, sin = rope
    first, second = x.chunk(2, dim=-1)  # [B, H, S, D / 2] each
    return x * cos + torch.cat((-second, first), dim=-1) * sin  # [B, H, S, D]


def position_ids_of(attention_mask: Tensor) -> Tensor:
    """Return the position of each token, [B, S], counting real tokens only; padding gets 0.

    attention_mask is [B, S], 1 = a token. Without this a left-padded row starts at the wrong position.
    """
    return (attention_mask.long().cumsum(dim=-1) - 1).clamp(min=0)  # [B, S]
