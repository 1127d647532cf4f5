"""Batch invariance: the rules on which it rests, and the probes that say whether they hold on this machine.

"The same request gives the same bits alone and in any company" needs two things of a matrix library: that a row of a
product does not depend on the number of rows (from ROWS on), and that a query's attention does not depend on the
queries and requests beside it. No library promises them, so they are measured, with this model's own weights, dtype
and number of threads, before the deterministic mode is switched on. A third one would be needed, and often does not
hold: that zeros added at the end of a sum change nothing. The engine does without it (store.own_width).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from sharedstate.model import seeded
from sharedstate.serving.runner import ROWS, Runner
from sharedstate.serving.store import CHUNK, own_width

if TYPE_CHECKING:
    from sharedstate.serving.engine import Limits


class NotInvariant(ValueError):
    """The deterministic mode was asked for, and a rule that it needs does not hold here; the text names it."""


def require(runner: Runner, limits: Limits) -> None:
    """Raise NotInvariant for the first rule that does not hold for this runner's weights."""
    if CHUNK % limits.block_size:
        raise NotInvariant(f"block_size is {limits.block_size}: in the deterministic mode it divides {CHUNK}.")
    for broken in broken_rules(runner, limits):
        raise NotInvariant(
            f"{broken} ({runner.weights.embedding.dtype}, {runner.weights.embedding.device.type}, "
            f"{torch.get_num_threads()} threads): a request's bits would depend on its neighbours. "
            "Serve without deterministic=True, and compare within a tolerance."
        )


@torch.inference_mode()
def broken_rules(runner: Runner, limits: Limits) -> Iterator[str]:
    """Yield the rules that do not hold, each in words."""
    most = -(-max(limits.max_tokens, limits.max_batch) // ROWS) * ROWS
    yield from _products(runner, sorted({ROWS, 2 * ROWS, 3 * ROWS, limits.max_batch // ROWS * ROWS or ROWS, 64, most}))
    yield from _attention(runner)


def _products(runner: Runner, sizes: list[int]) -> Iterator[str]:
    """A row of a product does not depend on how many rows there are."""
    w, generator = runner.weights, seeded(1)
    first = w.layers[0]
    named = {"qkv": first.qkv, "attention output": first.out, "gate and up": first.gate_up, "down": first.down}
    for name, weight in (*named.items(), ("logits", w.head)):
        x = _random(runner, (sizes[-1], weight.shape[0]), generator)
        whole = runner.linear(x, weight)
        for count in sizes[:-1]:
            start = sizes[-1] - count  # another place in the matrix, too
            if not torch.equal(runner.linear(x[start:], weight), whole[start:]):
                yield f"the product for {name} gives other bits with {count} rows than with {sizes[-1]}"
                break
    x = _random(runner, (sizes[-1], w.embedding.shape[1]), generator)
    if not torch.equal(runner.norm(x[:ROWS]), runner.norm(x)[:ROWS]):
        yield "the norm gives other bits with fewer rows"


def _attention(runner: Runner) -> Iterator[str]:
    """A query's answer does not depend on other queries, nor on other requests."""
    shape, generator, most = runner.weights.config, seeded(2), len(runner.columns)
    q = _random(runner, (CHUNK, shape.num_heads, shape.head_dim), generator)
    for width in sorted({own_width(n) for n in (1, 65, 200, 500, 900, 1300) if own_width(n) <= most}):
        k, v = (_random(runner, (3, shape.num_kv_heads, width, shape.head_dim), generator) for _ in range(2))
        alone = runner.attend(q[:1], k[:1], v[:1], _mask(runner, [width - 5], width))
        beside = runner.attend(q[:3], k, v, _mask(runner, [width - 5, 1, width], width))
        if not torch.equal(alone[0], beside[0]):
            yield f"attention over {width} keys gives other bits for a request beside two others"
            return
        for count in (2, 3, CHUNK // 2 + 1, CHUNK):
            chunk = runner.attend(q[:count], k[:1], v[:1], _mask(runner, [width - 5], width))
            if not torch.equal(alone[0], chunk[0]):
                yield f"attention over {width} keys gives other bits for one token than in a chunk of {count}"
                return


def _mask(runner: Runner, lengths: list[int], width: int) -> Tensor:
    """Return what is added to the scores, [b, 1, 1, width]."""
    seen = runner.columns[:width] < torch.tensor(lengths, device=runner.columns.device)[:, None, None, None]
    kind = runner.weights.embedding.dtype
    return torch.zeros(seen.shape, dtype=kind, device=seen.device).masked_fill_(~seen, -torch.inf)


def _random(runner: Runner, shape: tuple[int, ...], generator: torch.Generator) -> Tensor:
    numbers = torch.randn(shape, generator=generator)
    return numbers.to(runner.weights.embedding.dtype).to(runner.weights.embedding.device)
