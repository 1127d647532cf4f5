"""What one step of a decoder costs, with and without a KV cache: a model in multiplications, and a clock.

A multiplication and its addition count as two operations, as torch.utils.flop_counter counts them. Softmax,
norms and rotations are left out: they are small beside the products.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from sharedstate.kvcache.memory import shape_of

if TYPE_CHECKING:
    from torch import Tensor

    from sharedstate.model import GPT, Block
    from sharedstate.model.positions import Rope

PARTS = ("projections", "attention", "feed_forward", "head")


@dataclass(frozen=True)
class StepCost:
    """Operations of one step by part: q, k, v, o; scores and mix; the gated layer; the logits."""

    projections: int
    attention: int
    feed_forward: int
    head: int

    @property
    def parts(self) -> Mapping[str, int]:
        """Return operations by part."""
        return MappingProxyType({name: getattr(self, name) for name in PARTS})

    @property
    def total(self) -> int:
        """All operations."""
        return sum(self.parts.values())

    def share(self, part: str) -> float:
        """Return a part's share of the total, 0 to 1."""
        return self.parts[part] / self.total


def step_cost(config: object, context: int, cached: bool = True, new: int = 1) -> StepCost:
    """Return what it costs to get the logits of the `new` last of `context` tokens (config: a GPTConfig).

    With a cache only the new tokens pass through the model, and look at all keys; without one all tokens pass,
    and every one is compared with every other (a mask hides half of the scores, it does not save them).
    Raises ValueError for fewer than one token, more new ones than there are, and what is no whole number or no shape.
    """
    for name, size in {"context": context, "new": new}.items():
        if not isinstance(size, int) or isinstance(size, bool):
            raise ValueError(f"{name} is {size!r}: use a whole number of tokens.")
    if not 1 <= new <= context:
        raise ValueError(f"{new} new tokens of {context}: give at least 1, and no more than the context holds.")
    d, layers, heads, size = shape_of(config, "d_model", "num_layers", "num_kv_heads", "head_dim")
    rows, kv = (new if cached else context), heads * size
    return StepCost(
        projections=layers * rows * 2 * (2 * d * d + 2 * d * kv),
        attention=layers * rows * 2 * (2 * context * config.num_heads * config.head_dim),
        feed_forward=layers * rows * 2 * (3 * d * config.d_hidden),
        head=rows * 2 * d * config.vocab_size,
    )


@dataclass(frozen=True)
class Timing:
    """One measured point: seconds of a step at this context; the model's operations beside it."""

    context: int
    cached: bool
    seconds: float
    operations: int


def seconds_of(run: Callable[[], object], rounds: int = 5) -> float:
    """Return the best of some rounds, in seconds: whatever else runs on the machine only slows it down."""
    took = []
    for _ in range(rounds):
        began = time.perf_counter()
        run()
        took.append(time.perf_counter() - began)
    return min(took)


def random_cards(model: GPT, context: int, seed: int = 0) -> list[tuple[Tensor, Tensor]]:
    """Return a made-up cache: K and V [1, num_kv_heads, context, head_dim] for each layer.

    What is in a cache does not change how long it takes to read it, so a measurement needs no prefill.
    """
    import torch

    from sharedstate.model import seeded

    config, draw = model.config, seeded(seed)
    shape = (1, config.num_kv_heads, context, config.head_dim)
    return [tuple(torch.randn(shape, generator=draw) for _ in "kv") for _ in range(config.num_layers)]


def project(layer: Block, x: Tensor, rope: Rope | None) -> tuple[Tensor, Tensor, Tensor]:
    """Return a layer's queries [B, H, T, D], keys and values [B, num_kv_heads, T, D] for x [B, T, d_model].

    Queries and keys are turned by their positions, as the rotary tables say.
    """
    from sharedstate.model import apply_rope, split_heads

    part, h = layer.self_attn, layer.input_layernorm(x)
    q = split_heads(part.q_proj(h), part.num_heads)  # [B, H, T, D]
    k, v = (split_heads(p(h), part.num_kv_heads) for p in (part.k_proj, part.v_proj))  # [B, H_kv, T, D]
    return (q, k, v) if rope is None else (apply_rope(q, rope), apply_rope(k, rope), v)


def cached_step(model: GPT, token: Tensor, cards: list[tuple[Tensor, Tensor]]) -> Tensor:
    """Return logits [1, 1, vocab_size] of one token [1, 1] behind the cached ones; the cache stays as it is."""
    import torch

    from sharedstate.model import attention, merge_heads

    x, rope = model.embed(token, torch.tensor([[cards[0][0].shape[2]]]))  # [1, 1, d_model]
    for layer, (keys, values) in zip(model.layers, cards, strict=True):
        q, k, v = project(layer, x, rope)  # [1, H, 1, D], [1, H_kv, 1, D]
        k, v = torch.cat((keys, k), 2), torch.cat((values, v), 2)  # [1, H_kv, S, D]
        x = x + layer.self_attn.o_proj(merge_heads(attention(q, k, v)))
        x = x + layer.mlp(layer.post_attention_layernorm(x))
    return model.lm_head(model.norm(x))


def timed_step(model: GPT, context: int, cached: bool = True, rounds: int = 5) -> Timing:
    """Time the step that makes the logits after `context` tokens, one thread's worth of work, best of rounds."""
    import torch

    operations = step_cost(model.config, context, cached).total
    tokens = torch.zeros(1, context, dtype=torch.long)
    with torch.no_grad():
        if cached:
            cards = random_cards(model, context - 1)
            took = seconds_of(lambda: cached_step(model, tokens[:, :1], cards), rounds)
        else:
            took = seconds_of(lambda: model(tokens), rounds)
    return Timing(context, cached, took, operations)
