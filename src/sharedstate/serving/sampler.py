"""From logits to tokens, for a whole batch at once, each row with its own numbers.

A row's token depends on its logits and on one uniform number of its own request: an inverse of the distribution's
cumulated sum. Nobody draws here, so nobody can take a number away from a neighbour.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import torch
from torch import Tensor
from torch.nn.functional import pad

from sharedstate.serving.requests import Live, Sampling

SHELF = 64  # tokens whose weights are summed up together


def probabilities(logits: Tensor, sampling: Sampling) -> Tensor:
    """Return the distribution that a request's tokens are drawn from, [vocab], for logits [vocab]."""
    if not sampling.temperature:
        return torch.nn.functional.one_hot(logits.argmax(), len(logits)).to(logits.dtype)
    weights = _weights(logits[None], [sampling])
    return (weights / weights.sum(-1, keepdim=True))[0]


def draw(logits: Tensor, samplings: Sequence[Sampling], uniforms: Sequence[float]) -> list[int]:
    """Return a token for each row of logits [n, vocab], drawn with its own uniform number in [0, 1).

    The cumulated sum is searched in two steps: over the sums of shelves of SHELF tokens, then on one shelf.
    """
    weights = _weights(logits, samplings)
    if weights.shape[1] % SHELF:
        weights = pad(weights, (0, -weights.shape[1] % SHELF))
    shelves = weights.unflatten(1, (-1, SHELF))  # [n, shelves, SHELF]
    sums = shelves.sum(-1).double()  # [n, shelves]
    upto = sums.cumsum(-1)
    wanted = upto[:, -1:] * torch.tensor(uniforms, dtype=torch.float64, device=logits.device)[:, None]  # [n, 1]
    shelf = _first_above(upto, wanted)
    left = wanted - (upto.gather(1, shelf) - sums.gather(1, shelf))
    rows = torch.arange(len(logits), device=logits.device)[:, None]
    place = _first_above(shelves[rows, shelf][:, 0].cumsum(-1, dtype=torch.float64), left)
    return (shelf * SHELF + place)[:, 0].tolist()


def _first_above(cumulated: Tensor, wanted: Tensor) -> Tensor:
    """Return the first place [n, 1] whose cumulated weight is above `wanted` [n, 1]; one of weight 0 never is."""
    last = torch.nextafter(cumulated[:, -1:], cumulated.new_zeros(()))
    return torch.searchsorted(cumulated, torch.minimum(wanted, last).clamp_(min=0), right=True)


def _weights(logits: Tensor, samplings: Sequence[Sampling]) -> Tensor:
    """Return weights [n, vocab], in the vocabulary's order always: a neighbour's top_k must not change a row's."""
    scale = [1 / (s.temperature * log(2)) for s in samplings]  # 2 ** x is twice as fast as e ** x
    weights = logits * torch.tensor(scale, dtype=logits.dtype, device=logits.device)[:, None]  # [n, vocab]
    weights = weights.sub_(weights.amax(-1, keepdim=True)).exp2_()  # a softmax without its division
    if not any(s.top_k or s.top_p < 1 for s in samplings):
        return weights
    best, order = torch.sort(weights, stable=True, dim=-1, descending=True)
    ranks = torch.arange(weights.shape[1], device=logits.device)  # [vocab]
    top_k = torch.tensor([[s.top_k or len(ranks)] for s in samplings], device=logits.device)  # [n, 1]
    best = best.masked_fill(ranks >= top_k, 0)
    top_p = torch.tensor([[s.top_p] for s in samplings], dtype=torch.float64, device=logits.device)  # [n, 1]
    before = best.cumsum(-1, dtype=torch.float64) - best  # what the more likely tokens have together
    cut = (before >= top_p * best.sum(-1, keepdim=True)) & (top_p < 1)
    return weights.scatter(1, order, best.masked_fill(cut & (ranks > 0), 0))


def choose(logits: Tensor, rows: Sequence[Live]) -> list[int | Exception]:
    """Return each request's next token for logits [n, vocab]; what a request's own function raised, in its place."""
    best = logits.argmax(-1).tolist()
    tokens: list[int | Exception] = list(best)
    drawn = [n for n, live in enumerate(rows) if live.uniforms is not None and live.request.choose is None]
    if drawn:
        samplings = [rows[n].request.sampling for n in drawn]
        uniforms = [float(rows[n].uniforms[rows[n].num_answered]) for n in drawn]  # type: ignore[index]
        mine = logits if len(drawn) == len(rows) else logits[torch.tensor(drawn, device=logits.device)]
        for n, token in zip(drawn, draw(mine, samplings, uniforms), strict=True):
            tokens[n] = token
    for n, live in enumerate(rows):
        if live.request.choose is not None:
            tokens[n] = _own(live, logits[n])
    return tokens


def _own(live: Live, logits: Tensor) -> int | Exception:
    """Ask the request's own function, and keep what it raises for itself."""
    assert live.request.choose is not None
    try:
        token = live.request.choose(logits.clone())
    except Exception as problem:
        return problem
    if type(token) is not int or not 0 <= token < len(logits):
        return ValueError(f"choose returned {token!r}, which is no token of a vocabulary of {len(logits)}")
    return token
