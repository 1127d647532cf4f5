"""Attention heads with planted masks, and right ones among them, for the hunt of exercise 04.3."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

Attend = Callable[["Tensor", "Tensor", "Tensor"], "Tensor"]

# What each planted mask does, in words for the learner who missed it.
WRONG = MappingProxyType({
    "missing": "has no mask at all",
    "off by one": "lets each query look one key ahead",
    "without self": "does not let a query look at its own place",
    "after softmax": "cuts the weights off after the softmax, so the future still moves the others",
    "finite": "fills the future with -1e4, which loses against a past below it",
    "additive": "adds -1e9 to the future, which loses against a past below it",
    "top left": "counts from the top left, so with more keys than queries most of the past is lost",
    "short window": "forgets all but the last three keys",
    "far future": "shuts the next two keys only",
})
RIGHT = MappingProxyType({
    "filled": "fills the future with -inf",
    "added": "adds -inf to the future",
    "sliced": "gives each query its own piece of the past",
    "fused": "hands a bottom-right mask to torch's own kernel",
})


def planted(name: str) -> Attend:
    """Return the head with this mask. Raises KeyError for an unknown name."""
    return {**dict.fromkeys(WRONG, _by_weights), "filled": _by_weights, "added": _by_weights,
            "sliced": lambda _: _sliced, "fused": lambda _: _fused}[name](name)


def _past(q: Tensor, k: Tensor, move: int = 0) -> Tensor:
    """Return [Q, K], True up to the query's own position, moved to the right by `move`."""
    import torch

    return torch.arange(len(k)) <= torch.arange(len(q))[:, None] + (len(k) - len(q) + move)


def _by_weights(name: str) -> Attend:
    def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return _weights(name, q @ k.mT / q.shape[-1] ** 0.5, _past(q, k), q, k) @ v

    return attend


def _weights(name: str, scores: Tensor, past: Tensor, q: Tensor, k: Tensor) -> Tensor:
    """Turn scores into weights, rightly or wrongly."""
    import torch

    if name == "after softmax":
        return scores.softmax(-1) * past
    if name in ("finite", "additive"):
        low = scores.masked_fill(~past, -1e4) if name == "finite" else scores - 1e9 * ~past
        return low.softmax(-1)
    if name == "added":
        return (scores + torch.zeros_like(scores).masked_fill(~past, -torch.inf)).softmax(-1)
    seen = {
        "missing": torch.ones_like(past),
        "off by one": _past(q, k, 1),
        "without self": _past(q, k, -1) | (torch.arange(len(k)) == 0),
        "top left": _past(q, k, len(q) - len(k)),
        "short window": past & ~_past(q, k, -3),
        "far future": past | ~_past(q, k, 2),
    }.get(name, past)
    return scores.masked_fill(~seen, -torch.inf).softmax(-1)


def _sliced(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Row by row, no mask anywhere: what is not handed over cannot leak."""
    import torch

    rows = []
    for i, query in enumerate(q):
        end = len(k) - len(q) + i + 1
        rows.append((k[:end] @ query / q.shape[-1] ** 0.5).softmax(-1) @ v[:end])
    return torch.stack(rows)


def _fused(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    from torch.nn.functional import scaled_dot_product_attention

    return scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=_past(q, k))[0]
