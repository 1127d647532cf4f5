"""What one step of a decoder costs, with and without a KV cache: a model in multiplications, and a clock.

A multiplication and its addition count as two operations, as torch.utils.flop_counter counts them. Softmax,
norms and rotations are left out: they are small beside the products.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import torch
from torch import Tensor

from sharedstate.kvcache.decode import cached_step, project
from sharedstate.kvcache.memory import shape_of
from sharedstate.model import GPT, seeded

# The lesson takes `project` from here, beside what it measures with it.
__all__ = [
    "PARTS", "StepCost", "Timing", "project", "random_cards", "seconds_of", "step_cost", "step_on_cards", "timed_step",
]  # fmt: skip
PARTS = ("projections", "attention", "feed_forward", "head")
Cards = list[tuple[Tensor, Tensor]]  # keys and values of each layer, [1, Hkv, S, D]


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


def step_cost(config: Any, context: int, cached: bool = True, new: int = 1) -> StepCost:
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


def random_cards(model: GPT, context: int, seed: int = 0) -> Cards:
    """Return a made-up cache: K and V [1, num_kv_heads, context, head_dim] for each layer, as the model's weights are.

    What is in a cache does not change how long it takes to read it, so a measurement needs no prefill.
    """
    config, draw, like = model.config, seeded(seed), model.lm_head.weight
    shape = (1, config.num_kv_heads, context, config.head_dim)
    return [
        (torch.randn(shape, generator=draw).to(like), torch.randn(shape, generator=draw).to(like))
        for _ in range(config.num_layers)
    ]


def step_on_cards(model: GPT, token: Tensor, cards: Cards) -> Tensor:
    """Return logits [1, 1, vocab_size] of one token [1, 1] after the cached ones; the cache stays as it is."""
    position = torch.full((1, 1), cards[0][0].shape[2], device=token.device)  # [1, 1]

    def exchange(layer: int, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        keys, values = cards[layer]
        return torch.cat((keys, k), 2), torch.cat((values, v), 2)  # [1, Hkv, S, D]

    return cached_step(model, model.embed(token, position), exchange, lambda layer: None)


def timed_step(model: GPT, context: int, cached: bool = True, rounds: int = 5) -> Timing:
    """Time the step that makes the logits after `context` tokens, one thread's worth of work, best of rounds."""
    operations = step_cost(model.config, context, cached).total
    tokens = torch.zeros(1, context, dtype=torch.long, device=model.lm_head.weight.device)
    with torch.no_grad():
        if cached:
            cards = random_cards(model, context - 1)
            took = seconds_of(lambda: step_on_cards(model, tokens[:, :1], cards), rounds)
        else:
            took = seconds_of(lambda: model(tokens), rounds)
    return Timing(context, cached, took, operations)
