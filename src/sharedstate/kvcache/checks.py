"""What an engine refuses, before anything changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import torch
from torch import Tensor

from sharedstate.kvcache.slots import CacheFull, SlotCache
from sharedstate.model import GPT, causal_mask


class Serving(Protocol):
    """What the guards ask an engine for."""

    model: GPT
    cache: SlotCache
    slots: dict[str, int]

    def slot_of(self, request: str) -> int:
        """Return the slot of a running request. Raises ValueError for any other."""


def check_prompts(engine: Serving, prompts: Mapping[str, Sequence[int]]) -> None:
    """Raise ValueError for a bad request or prompt, CacheFull when the slots do not hold them."""
    if not isinstance(prompts, Mapping):
        raise ValueError(f'Prompts are given as {{"name": [tokens]}}, not as {type(prompts).__name__}.')
    if not prompts:
        raise ValueError("Give at least one request.")
    for request, prompt in prompts.items():
        if type(request) is not str or not request:
            raise ValueError(f"A request has a name (a text that is not empty), not {request!r}.")
        if request in engine.slots:
            raise ValueError(f"Request {request!r} is already running: finish it first, or take another name.")
        if not isinstance(prompt, Sequence):
            raise ValueError(f"The prompt of {request!r} is a list of tokens, not {type(prompt).__name__}.")
        if not prompt:
            raise ValueError(f"The prompt of {request!r} is empty: give at least one token.")
        for token in prompt:
            check_token(engine, request, token)
    free = len(engine.cache.free_slots)
    if len(prompts) > free:
        raise CacheFull(
            f"{len(prompts)} new requests, {free} of {engine.cache.num_slots} slots free: finish some, or make the "
            "engine with more slots."
        )
    check_width(engine, max(map(len, prompts.values())))


def check_width(engine: Serving, width: int) -> None:
    """Raise CacheFull when a prompt, with its padding, is longer than a slot; ValueError beyond the positions."""
    if width > engine.cache.capacity:
        raise CacheFull(
            f"A prompt of {width} tokens (with padding) does not fit into a slot of {engine.cache.capacity}: make the "
            "engine with a larger capacity."
        )
    shape = engine.model.config
    if shape.positions == "learned" and width > shape.max_len:
        raise ValueError(f"The model knows {shape.max_len} positions, the prompt has {width} tokens: use fewer.")


def check_tokens(engine: Serving, tokens: Mapping[str, int]) -> None:
    """Raise ValueError for an unknown request or a bad token, CacheFull when a slot has no room for one more."""
    if not isinstance(tokens, Mapping):
        raise ValueError(f'Tokens are given as {{"name": token}}, not as {type(tokens).__name__}.')
    if not tokens:
        raise ValueError("Give a token for at least one request.")
    for request, token in tokens.items():
        slot = engine.slot_of(request)
        check_token(engine, request, token)
        engine.cache.check_room(slot, 1)


def check_token(engine: Serving, request: str, token: int) -> None:
    """Raise ValueError for a token that is not in the vocabulary."""
    size = engine.model.config.vocab_size
    if type(token) is not int or not 0 <= token < size:
        raise ValueError(f"{request!r}: a token is a whole number from 0 to {size - 1}, not {token!r}.")


def pattern_of(model: GPT, capacity: int) -> Tensor | None:
    """Return the model's mask for a cache of this capacity, [C, C] (row: a token, column: whom it looks at).

    None stands for the plain causal mask, which needs no table. Raises ValueError for a mask that a cache of keys
    cannot serve: one that lets a token look ahead (its key would go stale with every new token), or one whose rows
    change with the length.
    """
    if model.mask is causal_mask:
        return None
    table = model.mask(capacity, capacity)
    if bool(table.triu(1).any()):
        token, later = table.triu(1).nonzero()[0].tolist()
        raise ValueError(
            f"This model looks ahead: its mask lets token {token} look at token {later}. A cached key would go stale "
            "with every new token: use a causal model, or compute the whole text anew."
        )
    for length in range(1, capacity + 1):
        if not torch.equal(model.mask(1, length)[0], table[length - 1, :length]):
            raise ValueError(
                f"The model's mask is not the same at every length: at {length} the last token looks at others than "
                f"in a text of {capacity}. A cache cannot serve it."
            )
    return table.to(model.lm_head.weight.device)
