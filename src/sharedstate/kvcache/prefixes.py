"""Prompts seen before: copies of their keys and values, found again by a key.

At least one token of a prompt is always computed anew, for its logits; a kept prefix is all but the last one.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from sharedstate.kvcache.slots import SlotCache

MOST = 16


@dataclass(frozen=True)
class Kept:
    """A copy of a prefix: keys and values [L, Hkv, P, D], and who computed it."""

    keys: Tensor
    values: Tensor
    owner: str | None

    @classmethod
    def of(cls, cache: SlotCache, slot: int, length: int) -> Kept:
        """Copy the first `length` tokens of a slot."""
        layers = [cache.fetch(layer, [slot], length) for layer in range(cache.num_layers)]
        keys, values = (torch.cat(part) for part in zip(*layers, strict=True))  # [L, Hkv, P, D] each
        return cls(keys, values, cache.owner(slot))

    def put(self, cache: SlotCache, slot: int) -> int:
        """Append the copy to a slot, declare it shared, and return how many tokens it spares."""
        for layer in range(cache.num_layers):
            cache.append(slot, layer, self.keys[layer], self.values[layer])
        length = self.keys.shape[2]
        if cache.tags is not None and self.owner is not None:
            for row, columns in cache.where(slot, range(length)):
                cache.tags.share(row, {self.owner}, columns[-1] + 1)
        return length


class Prefixes:
    """The last MOST prefixes by key; the first to come under a key stays."""

    def __init__(self) -> None:
        """Start with none."""
        self._kept: dict[object, Kept] = {}

    def find(self, key: object) -> Kept | None:
        """Return the prefix kept under this key."""
        return self._kept.get(key)

    def keep(self, key: object, prefix: Kept) -> None:
        """Keep a prefix under a key that has none; the oldest goes when there are too many."""
        if key not in self._kept and prefix.keys.shape[2]:
            self._kept[key] = prefix
            if len(self._kept) > MOST:
                del self._kept[next(iter(self._kept))]
