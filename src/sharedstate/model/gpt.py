"""A small decoder-only transformer in plain torch, of Llama's shape.

RMSNorm, RoPE or learned positions, grouped-query attention, SwiGLU. Whether it is causal is one argument:
the mask function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from sharedstate.model.attention import Attend, MultiHeadAttention, attention
from sharedstate.model.layers import INIT_STD, RMSNorm, SwiGLU, embedding, linear, seeded
from sharedstate.model.masks import causal_mask, combine, open_empty_rows, padding_mask
from sharedstate.model.positions import Rope, rope_tables

MaskFunction = Callable[[int, int], Tensor]


@dataclass(frozen=True)
class GPTConfig:
    """The shape of a model. positions is "rope", "learned" or "none".

    num_kv_heads: 0 stands for all heads; d_hidden: 0 for 3 x d_model.
    """

    vocab_size: int
    num_layers: int = 2
    d_model: int = 64
    num_heads: int = 4
    num_kv_heads: int = 0
    d_hidden: int = 0
    max_len: int = 128
    positions: str = "rope"
    rope_theta: float = 10000.0
    norm_eps: float = 1e-6

    def __post_init__(self) -> None:
        """Fill in num_kv_heads (all heads) and d_hidden (3 x d_model); refuse unknown positions."""
        if self.positions not in ("rope", "learned", "none"):
            raise ValueError(f'positions is {self.positions!r}, use "rope", "learned" or "none".')
        object.__setattr__(self, "num_kv_heads", self.num_kv_heads or self.num_heads)
        object.__setattr__(self, "d_hidden", self.d_hidden or 3 * self.d_model)

    @property
    def head_dim(self) -> int:
        """Channels of one head."""
        return self.d_model // self.num_heads


class Block(nn.Module):
    """One layer: attention (tokens look at each other), then SwiGLU (each token alone)."""

    def __init__(self, config: GPTConfig, *, generator: torch.Generator, attend: Attend = attention) -> None:
        """Draw the weights from `generator`."""
        super().__init__()
        size = config.d_model
        self.input_layernorm = RMSNorm(size, config.norm_eps)
        self.self_attn = MultiHeadAttention(
            size, config.num_heads, config.num_kv_heads, generator=generator, attend=attend
        )
        self.post_attention_layernorm = RMSNorm(size, config.norm_eps)
        self.mlp = SwiGLU(size, config.d_hidden, generator=generator)

    def forward(self, x: Tensor, mask: Tensor | None = None, rope: Rope | None = None) -> Tensor:
        """Return [B, S, d_model]."""
        x = x + self.self_attn(self.input_layernorm(x), mask, rope)  # [B, S, d_model]
        return x + self.mlp(self.post_attention_layernorm(x))  # [B, S, d_model]


class GPT(nn.Module):
    """Tokens in, logits out. `mask` decides who looks at whom; full_mask makes the famous bug."""

    def __init__(
        self,
        config: GPTConfig,
        *,
        seed: int = 0,
        mask: MaskFunction = causal_mask,
        attend: Attend = attention,
    ) -> None:
        """Draw all weights from one generator with this seed.

        mask(q_len, kv_len) returns a boolean [q_len, kv_len], True = may look; attend is called as
        attend(q, k, v, mask). Both are there so that a lesson can hand in a wrong one.
        """
        super().__init__()
        generator = seeded(seed)
        self.config, self.mask = config, mask
        self.embed_tokens = embedding(config.vocab_size, config.d_model, generator)
        if config.positions == "learned":
            self.embed_positions = embedding(config.max_len, config.d_model, generator)
        blocks = (Block(config, generator=generator, attend=attend) for _ in range(config.num_layers))
        self.layers = nn.ModuleList(blocks)
        self.norm = RMSNorm(config.d_model, config.norm_eps)
        self.lm_head = linear(config.d_model, config.vocab_size, generator, INIT_STD)  # starts at loss ln V

    def forward(
        self,
        tokens: Tensor,
        *,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        mask: Tensor | None = None,
    ) -> Tensor:
        """Return logits [B, S, vocab_size] for tokens [B, S].

        attention_mask [B, S] (1 = a token, 0 = padding) is combined with the model's mask; `mask` (boolean,
        broadcast to [B, H, S, S]) replaces both. position_ids [B, S] are 0, 1, 2 ... unless given.
        """
        x, rope = self.embed(tokens, position_ids)  # [B, S, d_model]
        if mask is None:
            mask = self.mask_for(tokens, attention_mask)  # [S, S] or [B, 1, S, S]
        return self.from_embedding(x, mask, rope)  # [B, S, vocab_size]

    def from_embedding(self, x: Tensor, mask: Tensor | None = None, rope: Rope | None = None) -> Tensor:
        """Return logits [B, S, vocab_size] for x [B, S, d_model], as `embed` returns it with rope.

        Tokens are whole numbers and have no slope; this is where a Jacobian starts.
        """
        for layer in self.layers:
            x = layer(x, mask, rope)  # [B, S, d_model]
        return self.lm_head(self.norm(x))  # [B, S, vocab_size]

    def embed(self, tokens: Tensor, position_ids: Tensor | None = None) -> tuple[Tensor, Rope | None]:
        """Return the first layer's input [B, S, d_model], and the rotary tables if positions are rotary.

        Raises ValueError when learned positions are too few for the tokens.
        """
        x = self.embed_tokens(tokens)  # [B, S, d_model]
        known = tokens.shape[1] - 1 if position_ids is None else None
        if position_ids is None:
            position_ids = torch.arange(tokens.shape[1], device=tokens.device)[None]  # [1, S]
        if self.config.positions == "rope":
            tables = rope_tables(position_ids, self.config.head_dim, self.config.rope_theta, x.dtype)
            return x, tables
        if self.config.positions == "learned":
            most = self.config.max_len
            if known is None and not position_ids.is_meta:  # on the meta device there is no value to look at
                known = int(position_ids.max())
            if known is not None and known >= most:
                last = known
                raise ValueError(f"Position {last} is beyond max_len {most}: use fewer tokens.")
            x = x + self.embed_positions(position_ids)  # [B, S, d_model]
        return x, None

    def mask_for(self, tokens: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        """Return the mask for these tokens, [S, S], or [B, 1, S, S] with padding (no row is then empty)."""
        length = tokens.shape[1]
        mask = self.mask(length, length).to(tokens.device)  # [S, S]
        if attention_mask is None:
            return mask
        return open_empty_rows(combine(mask, padding_mask(attention_mask)))  # [B, 1, S, S]
