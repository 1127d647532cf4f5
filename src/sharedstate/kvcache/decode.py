"""The cached step: what was computed once is read, only the new tokens are computed; and one request that takes it.

The model is sharedstate.model.GPT; its weights are used as they are. Shapes: T new tokens, P cached ones,
H heads, Hkv key/value heads, D head_dim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

import torch
from torch import Tensor

from sharedstate.kvcache.slots import SlotCache
from sharedstate.model import GPT, Block, apply_rope, merge_heads, split_heads
from sharedstate.model.positions import Rope

Exchange = Callable[[int, Tensor, Tensor], tuple[Tensor, Tensor]]
Masks = Callable[[int], Tensor | None]


def project(block: Block, x: Tensor, rope: Rope | None) -> tuple[Tensor, Tensor, Tensor]:
    """Return q [B, H, T, D], k and v [B, Hkv, T, D] of the new tokens x [B, T, d_model], turned by their positions."""
    layer, x = block.self_attn, block.input_layernorm(x)  # [B, T, d_model]
    q = split_heads(layer.q_proj(x), layer.num_heads)  # [B, H, T, D]
    k = split_heads(layer.k_proj(x), layer.num_kv_heads)  # [B, Hkv, T, D]
    v = split_heads(layer.v_proj(x), layer.num_kv_heads)  # [B, Hkv, T, D]
    if rope is not None:
        q, k = apply_rope(q, rope), apply_rope(k, rope)
    return q, k, v


def cached_step(model: GPT, embedded: tuple[Tensor, Rope | None], exchange: Exchange, mask: Masks) -> Tensor:
    """Return the logits [B, T, vocab] of new tokens, `embedded` as the model does it: x [B, T, d_model], rotary tables.

    exchange(layer, k, v): takes the new keys and values [B, Hkv, T, D] of a layer, and returns all that there are,
    [B, Hkv, S, D] each. mask(layer): who looks at whom in it, [T, S] or [B, 1, T, S], asked after the exchange.
    """
    x, rope = embedded
    for layer, block in enumerate(cast(Iterable[Block], model.layers)):
        q, k, v = project(block, x, rope)
        keys, values = exchange(layer, k, v)  # [B, Hkv, S, D]
        heads = block.self_attn.attend(q, keys, values, mask(layer))  # [B, H, T, D]
        x = x + block.self_attn.o_proj(merge_heads(heads))  # [B, T, d_model]
        x = x + block.mlp(block.post_attention_layernorm(x))  # [B, T, d_model]
    return model.lm_head(model.norm(x))  # [B, T, vocab]


@torch.no_grad()
def cached_forward(model: GPT, tokens: Tensor, cache: SlotCache, slot: int) -> Tensor:
    """Return the logits [T, vocab] of T new tokens [T] behind those that the slot holds, and cache them.

    T > 1 is a prefill (or a part of one), T = 1 a decode step. Who looks at whom is the model's own mask, causal
    unless it was made otherwise. Raises ValueError for tokens that are not [T], CacheFull when they do not fit;
    whatever fails, the cache is as it was.
    """
    if not isinstance(tokens, Tensor) or tokens.dim() != 1 or not len(tokens):
        shape = list(tokens.shape) if isinstance(tokens, Tensor) else type(tokens).__name__
        raise ValueError(f"tokens must be one request's, [T] with T of 1 or more, not {shape}.")
    cache.check_room(slot, len(tokens))
    mark = cache.snapshot()
    try:
        return _through(model, tokens, cache, slot)
    except BaseException:
        cache.rollback(mark)
        raise


def _through(model: GPT, tokens: Tensor, cache: SlotCache, slot: int) -> Tensor:
    """Run the new tokens through every layer."""
    new, past = len(tokens), cache.length(slot)
    positions = torch.arange(past, past + new, device=tokens.device)[None]  # [1, T]
    mask = model.mask(new, past + new).to(tokens.device)  # [T, P + T], aligned at the bottom right

    def exchange(layer: int, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        cache.append(slot, layer, k[0], v[0])
        keys, values = cache.view(slot, layer)  # [Hkv, P + T, D]
        return keys[None], values[None]

    return cached_step(model, model.embed(tokens[None], positions), exchange, lambda layer: mask)[0]  # [T, vocab]
