"""Alone against together, on the serving engine: by how much do a request's logits differ?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch import Tensor

from sharedstate.model import GPT
from sharedstate.serving.engine import Engine
from sharedstate.serving.requests import Request, Result


def apart(model: GPT, prompts: Mapping[str, Sequence[int]], new: int = 4, **options: Any) -> dict[str, float]:
    """Serve each prompt alone, then all together; return the largest difference of a logit for each, {id: difference}.

    Every request goes on with its own first token, whatever its logits say, so that both times the same is computed.
    options: Engine's. Raises what Engine raises, and ValueError where a request is refused.
    """
    alone, together = _logits(model, prompts, new, True, options), _logits(model, prompts, new, False, options)
    return {name: max(float((a - b).abs().max()) for a, b in zip(alone[name], together[name], strict=True))
            for name in prompts}  # fmt: skip


def _logits(
    model: GPT, prompts: Mapping[str, Sequence[int]], new: int, alone: bool, options: Mapping[str, Any]
) -> dict[str, list[Tensor]]:
    """Return the logits [vocab] of every answer token, by request."""
    engine, seen = Engine(model, **options), {name: list[Tensor]() for name in prompts}

    def forced(name: str) -> Callable[[Tensor], int]:
        def choose(logits: Tensor) -> int:
            seen[name].append(logits)
            return prompts[name][0]

        return choose

    results: dict[str, Result] = {}
    for name, prompt in prompts.items():
        engine.add(Request(name, list(prompt), new, choose=forced(name)))
        if alone:
            results |= engine.run()
    for result in (results | engine.run()).values():
        if result.reason:
            raise ValueError(f"{result.id} is {result.status}: {result.reason}.")
    return seen
