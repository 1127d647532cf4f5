"""A model's weights, laid out for serving: fused, transposed, with the norms' weights multiplied in.

They are copied once, when the engine is made: training the model afterwards changes nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor

from sharedstate.model import GPT, Block, causal_mask, rope_tables


@dataclass(frozen=True)
class LayerWeights:
    """One layer: qkv [d, (H + 2 Hkv) D], out [H D, d], gate_up [d, 2 hidden], down [hidden, d]."""

    qkv: Tensor
    out: Tensor
    gate_up: Tensor
    down: Tensor


class Weights:
    """Everything that a pass needs: embedding, positions, layers, output layer."""

    def __init__(self, model: GPT, num_positions: int) -> None:
        """Copy the model's weights, and prepare `num_positions` positions.

        Raises ValueError for a model whose mask is not causal: what its past looks like changes with every token.
        """
        if model.mask is not causal_mask:
            raise ValueError("Only a causal model can be served: in any other, new tokens change old keys and values.")
        with torch.no_grad():
            self.config = model.config
            self.embedding = model.embed_tokens.weight.detach().clone()  # [vocab, d]
            self.layers = [_layer(block) for block in cast(Iterable[Block], model.layers)]
            self.head = _folded(model.norm.weight, model.lm_head.weight)  # [d, vocab]
            self.learned, self.cos, self.sin = self._positions(model, num_positions)

    def _positions(self, model: GPT, count: int) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
        """Return learned positions [count, d], or cos and signed sin [count, 1, D], or nothing."""
        shape, device = self.config, self.embedding.device
        if shape.positions == "learned":
            return model.embed_positions.weight.detach()[:count].clone(), None, None
        if shape.positions == "none":
            return None, None, None
        where = torch.arange(count, device=device)[None]  # [1, count]
        cos, sin = rope_tables(where, shape.head_dim, shape.rope_theta, self.embedding.dtype)  # [1, 1, count, D]
        sign = torch.ones(shape.head_dim, device=device, dtype=sin.dtype)
        sign[: shape.head_dim // 2] = -1
        return None, cos[0, 0][:, None].contiguous(), (sin[0, 0] * sign)[:, None].contiguous()


def _layer(block: Block) -> LayerWeights:
    attention, mlp = block.self_attn, block.mlp
    qkv = torch.cat([attention.q_proj.weight, attention.k_proj.weight, attention.v_proj.weight])
    gate_up = torch.cat([mlp.gate_proj.weight, mlp.up_proj.weight])
    return LayerWeights(
        _folded(block.input_layernorm.weight, qkv),
        attention.o_proj.weight.detach().t().contiguous(),
        _folded(block.post_attention_layernorm.weight, gate_up),
        mlp.down_proj.weight.detach().t().contiguous(),
    )


def _folded(norm: Tensor, weight: Tensor) -> Tensor:
    """Return the weight [outputs, inputs] transposed, with the norm before it multiplied in."""
    return (weight * norm).detach().t().contiguous()
