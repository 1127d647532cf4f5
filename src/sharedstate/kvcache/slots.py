"""A contiguous cache of keys and values: one slot a request, valid lengths, an owner by name.

Shapes: L layers, N slots, H key/value heads, C capacity (tokens a slot holds), D head_dim, T new tokens.
A slot is never emptied on release: what makes old data harmless is the valid length, not a zero.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from sharedstate.kvcache.ownership import OwnerTags
    from sharedstate.model import GPT


class CacheFull(RuntimeError):
    """No slot is free, or a slot has no room for more tokens; the text names what would help."""


class StaleMark(ValueError):
    """A mark that cannot be restored: some of its data has been overwritten, or it is another cache's."""


@dataclass(frozen=True)
class Mark:
    """The bookkeeping of a cache at one moment. The data itself is not copied: rollback checks that it is there."""

    cache: SlotCache
    clock: int
    owners: tuple[str | None, ...]
    epochs: tuple[int, ...]
    lengths: tuple[tuple[int, ...], ...]
    rows: tuple[int | None, ...]


class SlotCache:
    """Keys and values of several requests in two pools, `keys` and `values`, each [L, N, H, C, D].

    Every operation checks its arguments whole before it changes anything. `owners`, `epochs` and
    `filled[slot][layer]` (valid lengths) are plain lists; `reached[slot][layer]` tells how far a slot was ever
    written, so what lies between the two is stale.
    """

    def __init__(
        self,
        num_slots: int,
        capacity: int,
        num_layers: int,
        num_kv_heads: int,
        head_dim: int,
        dtype: torch.dtype = torch.float32,
        device: torch.device | str = "cpu",
        tags: OwnerTags | None = None,
    ) -> None:
        """Reserve everything at once. Raises ValueError for a size below 1 or a dtype that is not floating point."""
        sizes = {"num_slots": num_slots, "capacity": capacity, "num_layers": num_layers,
                 "num_kv_heads": num_kv_heads, "head_dim": head_dim}  # fmt: skip
        for name, size in sizes.items():
            if type(size) is not int or size < 1:
                raise ValueError(f"{name} must be a whole number of 1 or more, not {size!r}.")
        if not isinstance(dtype, torch.dtype) or not dtype.is_floating_point:
            raise ValueError(f"Keys and values are floating point: dtype {dtype!r} will not do.")
        shape = (num_layers, num_slots, num_kv_heads, capacity, head_dim)
        self.keys = torch.zeros(shape, dtype=dtype, device=device)  # [L, N, H, C, D]
        self.values = torch.zeros(shape, dtype=dtype, device=device)  # [L, N, H, C, D]
        self.owners: list[str | None] = [None] * num_slots
        self.epochs = [0] * num_slots
        self.filled = [[0] * num_layers for _ in range(num_slots)]
        self.reached = [[0] * num_layers for _ in range(num_slots)]
        self.tags = tags
        self._allocations = self._clock = 0
        self._written = [[array("q", [0]) * capacity for _ in range(num_layers)] for _ in range(num_slots)]
        if tags is not None:
            tags.attach(num_slots, num_layers, capacity)

    @classmethod
    def for_model(cls, model: GPT, num_slots: int = 1, capacity: int = 64, tags: OwnerTags | None = None) -> SlotCache:
        """Return a cache of this model's layers, heads, dtype and device."""
        shape, weight = model.config, model.lm_head.weight
        sizes = (shape.num_layers, shape.num_kv_heads, shape.head_dim)
        return cls(num_slots, capacity, *sizes, dtype=weight.dtype, device=weight.device, tags=tags)

    # --- looking

    @property
    def num_layers(self) -> int:
        """How many layers."""
        return self.keys.shape[0]

    @property
    def num_slots(self) -> int:
        """How many slots, free or not."""
        return self.keys.shape[1]

    @property
    def capacity(self) -> int:
        """How many tokens a slot holds."""
        return self.keys.shape[3]

    @property
    def free_slots(self) -> tuple[int, ...]:
        """The slots without an owner, lowest first."""
        return tuple(slot for slot, owner in enumerate(self.owners) if owner is None)

    @property
    def lengths(self) -> tuple[tuple[int, ...], ...]:
        """The valid length of each slot in each layer, [N][L]."""
        return tuple(tuple(filled) for filled in self.filled)

    def length(self, slot: int, layer: int | None = None) -> int:
        """Return how many tokens of the slot are valid in a layer; without a layer, in every layer."""
        filled = self.filled[self._slot(slot)]
        return min(filled) if layer is None else filled[self._layer(layer)]

    def extent(self, slot: int, layer: int | None = None) -> int:
        """Return how far the slot was ever written, by whomever: from `length` up to here the data is stale."""
        reached = self.reached[self.row_of(self._slot(slot))]
        return max(reached) if layer is None else reached[self._layer(layer)]

    def owner(self, slot: int) -> str | None:
        """Return who holds the slot; None when it is free."""
        return self.owners[self._slot(slot)]

    def epoch(self, slot: int) -> int:
        """Return the number of the allocation that the slot is in: another one for every tenant."""
        return self.epochs[self._slot(slot)]

    def row_of(self, slot: int) -> int:
        """Return which row of the pools holds the slot's data: the slot itself, here."""
        return slot

    def view(self, slot: int, layer: int, reader: str | None = None) -> tuple[Tensor, Tensor]:
        """Return the slot's valid keys and values of a layer, [H, length, D] each: views, not copies.

        With tags the read is checked: `reader` (the slot's owner unless given) must have the right to each token.
        """
        length, row = self.length(slot, layer), self.row_of(slot)
        self._check_rights(slot, layer, range(length), reader)
        return self.keys[layer, row, :, :length], self.values[layer, row, :, :length]

    def check_read(self, slot: int, layer: int, columns: range | list[int], reader: str | None = None) -> None:
        """With tags: raise OwnershipViolation unless the reader may read these columns of the slot's row."""
        self._slot(slot)
        edges = columns[::max(1, len(columns) - 1)] if isinstance(columns, range) else columns
        if not all(0 <= column < self.capacity for column in edges):
            raise ValueError(f"There is no column {columns!r}: they are numbered 0 to {self.capacity - 1}.")
        self._check_rights(slot, self._layer(layer), columns, reader)

    def _check_rights(self, slot: int, layer: int, columns: range | list[int], reader: str | None) -> None:
        if self.tags is not None:
            who = self.owners[slot] if reader is None else reader
            self.tags.reads(who, self.epochs[slot], self.row_of(slot), layer, columns)

    # --- changing

    def allocate(self, owner: str) -> int:
        """Give the lowest free slot to `owner`, length 0, in a new epoch. What was in it stays in it.

        Raises CacheFull when none is free, ValueError for an owner that is not a name.
        """
        if type(owner) is not str or not owner:
            raise ValueError(f"An owner is a name (a text that is not empty), not {owner!r}.")
        free = self.free_slots
        if not free:
            raise CacheFull(
                f"All {self.num_slots} slots are taken ({', '.join(map(str, self.owners))}): release one, or make "
                "the cache with more slots."
            )
        self._allocations += 1
        self.owners[free[0]], self.epochs[free[0]] = owner, self._allocations
        return free[0]

    def append(self, slot: int, layer: int, k: Tensor, v: Tensor, writer: str | None = None) -> None:
        """Put T tokens, k and v [H, T, D], behind the valid ones of this slot in this layer.

        writer: whose they are, for the tags; the slot's owner's unless given.

        Raises ValueError for a free slot or wrong tensors, CacheFull when there is no room. Nothing changes then.
        """
        self.check_append(slot, layer, k, v)
        self._store(slot, layer, k, v, self.filled[slot][layer], writer)
        self._advance(slot, layer, k.shape[1])

    def store(self, slot: int, layer: int, k: Tensor, v: Tensor, start: int, writer: str | None = None) -> None:
        """Write the data from column `start` on; the valid length stays as it is. A part of `append`.

        Raises ValueError for a free slot or wrong tensors, CacheFull for columns that there are not.
        """
        self._check_new(slot, layer, k, v)
        if type(start) is not int or not 0 <= start <= self.capacity - k.shape[1]:
            raise CacheFull(f"{k.shape[1]} tokens from column {start!r} on do not fit: a slot has {self.capacity}.")
        self._store(slot, layer, k, v, start, writer)

    def _store(self, slot: int, layer: int, k: Tensor, v: Tensor, start: int, writer: str | None) -> None:
        row, stop = self.row_of(slot), start + k.shape[1]
        self._touch(row, layer, start, stop)
        self.keys[layer, row, :, start:stop] = k
        self.values[layer, row, :, start:stop] = v
        if self.tags is not None:
            self.tags.wrote(writer or self.owners[slot], self.epochs[slot], row, layer, range(start, stop))

    def advance(self, slot: int, layer: int, count: int) -> None:
        """Count `count` more tokens as valid. A part of `append`, and raises as it does."""
        self._owned(slot)
        if type(count) is not int or count < 0:
            raise ValueError(f"Tokens are counted in whole numbers, not {count!r}: to go back, use rollback.")
        self.check_room(slot, count, self._layer(layer))
        self._advance(slot, layer, count)

    def _advance(self, slot: int, layer: int, count: int) -> None:
        self.filled[slot][layer] += count

    def release(self, slot: int) -> None:
        """Take the slot from its owner and make its length 0. The data stays. Raises ValueError for a free slot."""
        self._owned(slot)
        self.owners[slot], self.filled[slot] = None, [0] * self.num_layers  # at once: nothing can come between

    def clear(self, slot: int) -> None:
        """Overwrite a slot's data with zeros. Raises ValueError while it holds valid tokens."""
        if max(self.filled[self._slot(slot)]):
            raise ValueError(f"Slot {slot} holds {max(self.filled[slot])} valid tokens: release it first.")
        row = self.row_of(slot)
        for layer in range(self.num_layers):
            reached = self.reached[row][layer]
            self._touch(row, layer, 0, reached)
        self.keys[:, row] = 0
        self.values[:, row] = 0
        if self.tags is not None:
            self.tags.cleared(row)

    def snapshot(self) -> Mark:
        """Return a mark to which `rollback` can go back: who owns what, and how far it is valid."""
        rows = tuple(None if owner is None else self.row_of(slot) for slot, owner in enumerate(self.owners))
        return Mark(self, self._clock, tuple(self.owners), tuple(self.epochs), self.lengths, rows)

    def rollback(self, mark: Mark) -> None:
        """Go back to a mark. What was appended since is no longer valid, slots given out since are free again.

        Raises StaleMark, and changes nothing, when valid data of the mark was overwritten since (its slot was
        released and written anew, say), or when the mark is another cache's.
        """
        self._check_mark(mark)
        filled = [list(lengths) for lengths in mark.lengths]
        self.owners[:], self.epochs[:], self.filled[:] = mark.owners, mark.epochs, filled

    # --- checking

    def check_append(self, slot: int, layer: int, k: Tensor, v: Tensor) -> None:
        """Raise what `append` would raise; change nothing."""
        self._check_new(slot, layer, k, v)
        self.check_room(slot, k.shape[1], layer)

    def _check_new(self, slot: int, layer: int, k: Tensor, v: Tensor) -> None:
        self._owned(slot)
        self._layer(layer)
        heads, _, size = self.keys.shape[2:]
        for name, new in (("k", k), ("v", v)):
            if not isinstance(new, Tensor) or new.dim() != 3 or (new.shape[0], new.shape[2]) != (heads, size):
                shape = list(new.shape) if isinstance(new, Tensor) else type(new).__name__
                raise ValueError(f"{name} must be [{heads}, T, {size}] (heads, tokens, head_dim), not {shape}.")
            if (new.dtype, new.device) != (self.keys.dtype, self.keys.device):
                here = f"{self.keys.dtype} on {self.keys.device}"
                raise ValueError(f"{name} is {new.dtype} on {new.device}, the cache {here}.")
        if k.shape != v.shape:
            raise ValueError(f"k has {k.shape[1]} tokens and v has {v.shape[1]}: give one of each.")

    def check_room(self, slot: int, count: int, layer: int | None = None) -> None:
        """Raise CacheFull unless `count` more tokens fit into the slot."""
        length = max(self.filled[self._slot(slot)]) if layer is None else self.length(slot, layer)
        if length + count > self.capacity:
            raise CacheFull(
                f"Slot {slot} of {self.owners[slot]!r} holds {length} of {self.capacity} tokens, {count} more do not "
                "fit: make the cache with a larger capacity, or end the request."
            )

    def _check_mark(self, mark: Mark) -> None:
        if not isinstance(mark, Mark):
            raise ValueError(f"A mark is what snapshot() gives, not {mark!r}.")
        if mark.cache is not self:
            raise StaleMark("This mark belongs to another cache.")
        for slot, row in enumerate(mark.rows):
            if row is None:
                continue
            for layer, length in enumerate(mark.lengths[slot]):
                if max(self._written[row][layer][:length], default=0) > mark.clock:
                    raise StaleMark(
                        f"Slot {slot} of {mark.owners[slot]!r} was written anew since the mark: its data is gone."
                    )

    def _touch(self, row: int, layer: int, start: int, stop: int) -> None:
        """Note that these columns are being overwritten now."""
        self._clock += 1
        self._written[row][layer][start:stop] = array("q", [self._clock]) * (stop - start)
        self.reached[row][layer] = max(self.reached[row][layer], stop)

    def _slot(self, slot: int) -> int:
        if type(slot) is not int or not 0 <= slot < self.num_slots:
            raise ValueError(f"There is no slot {slot!r}: they are numbered 0 to {self.num_slots - 1}.")
        return slot

    def _layer(self, layer: int) -> int:
        if type(layer) is not int or not 0 <= layer < self.num_layers:
            raise ValueError(f"There is no layer {layer!r}: they are numbered 0 to {self.num_layers - 1}.")
        return layer

    def _owned(self, slot: int) -> None:
        if self.owners[self._slot(slot)] is None:
            raise ValueError(f"Slot {slot} is free: allocate it first.")
