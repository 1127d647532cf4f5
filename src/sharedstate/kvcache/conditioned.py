"""What a request's factors add to its embeddings, and the logits that it must get: alone, without a cache."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import torch
from torch import Tensor

from sharedstate.kvcache.decode import cached_step
from sharedstate.kvcache.prefix import Factors
from sharedstate.model import GPT, seeded


def added(factors: Factors, columns: Tensor, like: Tensor) -> Tensor:
    """Return what adapter, state and images add to the embeddings of these columns [Q], [Q, d_model].

    Adapter and state are one vector for every token here, an image one for each place: enough to change K and V.
    """
    total = torch.zeros(len(columns), like.shape[-1], dtype=like.dtype, device=like.device)
    if factors.adapter is not None:
        total += _vector(b"adapter " + factors.adapter.encode(), like)
    if factors.state is not None:
        total += _vector(b"state " + factors.state, like)
    for image in factors.images:
        for row, column in enumerate(columns.tolist()):
            if image.start <= column < image.start + image.length:
                total[row] += _vector(image.content + b"%d" % (column - image.start), like)
    return total


def _vector(name: bytes, like: Tensor) -> Tensor:
    """A vector [d_model] that depends on the name alone."""
    seed = int.from_bytes(hashlib.sha256(name).digest()[:4], "big") % 2**31
    drawn = torch.randn(like.shape[-1], generator=seeded(seed))
    return drawn.to(like)


@torch.no_grad()
def uncached(model: GPT, tokens: Sequence[int], factors: Factors | None = None) -> Tensor:
    """Return the logits [S, vocab] of a request computed alone and without a cache: what every engine must give."""
    own, count = factors or Factors(), len(tokens)
    device = model.lm_head.weight.device
    columns = torch.arange(count, device=device)
    x, rope = model.embed(torch.tensor([list(tokens)], device=device), columns[None] + own.first_position)
    embedded = x + added(own, columns, x)[None], rope
    mask = model.mask(count, count).to(device)
    return cached_step(model, embedded, lambda layer, k, v: (k, v), lambda layer: mask)[0]
