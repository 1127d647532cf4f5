"""Serving without a model: the real engine decides who is served when, and time is counted in passes, not measured.

A pass through the weights costs 1, whoever is in it, and every token in it TOKEN more. So counts are the same on
every machine, and what moves them is the batch alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from sharedstate.model import GPT, GPTConfig
from sharedstate.serving.engine import Engine, Limits
from sharedstate.serving.metrics import summary
from sharedstate.serving.requests import Live, Request
from sharedstate.serving.runner import Runner
from sharedstate.serving.store import Span

TOKEN = 1 / 64  # what a token costs besides the pass that it is in
PROMPT = 16
MIXES = ("equal", "uniform", "geometric", "90 to 10")
MORE = 1.1  # times the throughput: what a larger batch must give, or the knee is there


@dataclass(frozen=True)
class Counted:
    """What serving a mix took. throughput: new tokens for each unit of time; inter_token: units between two tokens."""

    steps: int
    preemptions: int
    throughput: float
    inter_token: float


def mix(name: str, count: int = 64, seed: int = 0) -> tuple[int, ...]:
    """Return the answer lengths of `count` requests, about 20 tokens in the mean. Raises ValueError for no such mix."""
    if name not in MIXES:
        raise ValueError(f"No mix {name!r}. There are: {', '.join(MIXES)}.")
    dice = np.random.default_rng(seed)
    drawn = {
        "equal": np.full(count, 20),
        "uniform": dice.integers(1, 40, count),
        "geometric": np.clip(dice.geometric(1 / 20, count), 1, 120),
        "90 to 10": np.where(dice.random(count) < 0.1, 120, 8),
    }[name]
    return tuple(int(length) for length in drawn)


def counted(
    lengths: Sequence[int], batch: int, static: bool = False, order: str = "fifo", blocks: int = 4096
) -> Counted:
    """Serve requests with answers of these lengths, all there at once, and count. blocks: of 16 tokens, in the pool.

    Raises ValueError where one request alone would not fit.
    """
    limits = Limits(batch, blocks + 1, max_tokens=1 << 20)
    engine = Engine(GPT(_SHAPE, seed=0), limits, prefix=False, static=static, order=order, runner=_Nothing,
                    clock=lambda: engine.metrics.steps + TOKEN * engine.metrics.tokens)  # fmt: skip
    for n, length in enumerate(lengths):
        engine.add(Request(f"r{n}", (0,) * PROMPT, length))
    results = engine.run()
    refused = next((result.reason for result in results.values() if result.reason), "")
    if refused:
        raise ValueError(refused)
    found = summary(results.values())
    preemptions = sum(result.preemptions for result in results.values())
    return Counted(engine.metrics.steps, preemptions, found.throughput, found.inter_token)


def knee(rates: Mapping[int, float]) -> int | None:
    """Return the smallest batch size such that no larger one gives more than 1.1 times its rate, or None."""
    sizes = sorted(rates)
    reached = (n for k, n in enumerate(sizes[:-1]) if max(map(rates.__getitem__, sizes[k + 1 :])) <= MORE * rates[n])
    return next(reached, None)


class _Nothing(Runner):
    """No pass at all: everybody's best token is 0."""

    def forward(self, spans: Sequence[Span]) -> tuple[Tensor, list[Live]]:
        """Return logits [n, 1] of zeros for those that have no further token."""
        ready = [span.live for span in spans if span.start + span.new == len(span.live.tokens)]
        return torch.zeros(len(ready), 1), ready


_SHAPE = GPTConfig(vocab_size=1, d_model=2, num_layers=1, num_heads=1, d_hidden=1, max_len=1 << 16)
