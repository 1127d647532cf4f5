"""Workloads, and engines that remember every row of logits by request and place."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from sharedstate.model import GPT
from sharedstate.serving import Engine, Live, Request, Result, Runner, Sampling, Span


class Remembering(Runner):
    """Keeps the logits of every answer token, in `seen[id, place]`, each time that they are computed."""

    def __init__(self, *parts: Any, **options: Any) -> None:
        super().__init__(*parts, **options)
        self.seen: dict[tuple[str, int], list[Tensor]] = {}

    def forward(self, spans: Sequence[Span]) -> tuple[Tensor, list[Live]]:
        logits, ready = super().forward(spans)
        for row, live in zip(logits, ready, strict=True):
            self.seen.setdefault((live.request.id, live.num_answered), []).append(row.clone())
        return logits, ready


def mixed(
    count: int, seed: int = 0, vocab: int = 61, longest: int = 90, most: int = 20, **fields: Any
) -> list[Request]:
    """Return requests of random lengths; every second one begins like a common text."""
    dice = random.Random(seed)
    common = [dice.randrange(vocab) for _ in range(longest)]
    found = []
    for n in range(count):
        own = [dice.randrange(vocab) for _ in range(dice.randint(1, longest))]
        begin = common[: dice.randrange(longest)] if n % 2 else []
        found.append(Request(f"r{n}", begin + own, dice.randint(1, most), **fields))
    return found


def sampled(count: int, seed: int = 0, **sizes: Any) -> list[Request]:
    """Return mixed requests, each with a way to sample of its own."""
    dice = random.Random(seed)
    ways = [Sampling(0.8), Sampling(1.3, top_k=7), Sampling(0.7, top_p=0.6), Sampling(1.0, 20, 0.9, seed=5), Sampling()]
    return [
        Request(r.id, r.prompt, r.max_new_tokens, dice.choice(ways)) for r in mixed(count, seed, **sizes)
    ]


def serve(engine: Engine, requests: Sequence[Request], alone: bool = False) -> dict[str, Result]:
    """Serve them all, together or one after the other."""
    found: dict[str, Result] = {}
    for request in requests:
        engine.add(request)
        if alone:
            found |= engine.run()
    return found | engine.run()


def by_the_model(model: GPT, request: Request) -> tuple[int, ...]:
    """Return the greedy answer of the model without any cache."""
    tokens = list(request.prompt)
    with torch.no_grad():
        for _ in range(request.max_new_tokens):
            tokens.append(int(model(torch.tensor([tokens]))[0, -1].argmax()))
    return tuple(tokens[len(request.prompt) :])


def clean(engine: Engine) -> None:
    """Hold that an idle engine has everything back, and that its books agree."""
    assert engine.store.seated == [] and engine.scheduler.waiting == []
    engine.store.pool.check()
    assert engine.store.pool.usage == 0 and not engine.store.tables.any()
    if engine.store.index is not None:
        engine.store.index.check()
