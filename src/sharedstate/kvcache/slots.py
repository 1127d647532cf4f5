"""A contiguous cache of keys and values: one slot a request, valid lengths, an owner by name.

Shapes: L layers, N slots, R rows of the pools (here one a slot) with C columns each, H key/value heads, D head_dim,
T new tokens.
A slot is never emptied on release: what makes old data harmless is the valid length, not a zero.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from sharedstate.kvcache.ownership import OwnerTags
    from sharedstate.model import GPT


Columns = range | list[int]
Piece = tuple[int, Columns]  # a row of the pools, and columns in it


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
    pieces: tuple[tuple[Piece, ...], ...]


class WriteLog:
    """When the columns of one row were last written, as far as a rollback asks: the lowest one written since then.

    A later write that begins lower hides earlier ones, so the kept starts rise with their times, and one look-up
    is a bisection: no scan of the columns.
    """

    def __init__(self) -> None:
        """Start with nothing written."""
        self.times: list[int] = []
        self.starts: list[int] = []

    def note(self, time: int, start: int) -> None:
        """Note a write from column `start` on, at a time later than every one before."""
        while self.starts and self.starts[-1] >= start:
            self.times.pop()
            self.starts.pop()
        self.times.append(time)
        self.starts.append(start)

    def lowest_since(self, time: int) -> int | None:
        """Return the lowest column written after this time; None when there was no write."""
        later = bisect_right(self.times, time)
        return self.starts[later] if later < len(self.starts) else None


class SlotCache:
    """Keys and values of several requests in two pools, `keys` and `values`, each [L, R, H, C, D].

    Every operation checks its arguments whole before it changes anything. `owners`, `epochs` and
    `filled[slot][layer]` (valid lengths) are plain lists; `reached[row][layer]` tells how far a row was ever
    written, so what lies between the two is stale.

    Where a token lies is decided by five methods, and everybody asks them, the engine, the tags and the oracles:
    `layout` (how many rows of how many columns the pools have: here a row is a slot), `where` (in which row and
    column a slot's columns lie), `fetch` (several slots' columns at once), `by_place` (a pool seen by row and column)
    and `valid_places` (what the books call valid). A cache of another shape, of blocks say, overrides those.
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
        self._sizes = num_slots, capacity
        rows, columns = self.layout(num_slots, capacity)
        shape = (num_layers, rows, num_kv_heads, columns, head_dim)
        self.keys = torch.zeros(shape, dtype=dtype, device=device)  # [L, R, H, C, D]
        self.values = torch.zeros(shape, dtype=dtype, device=device)  # [L, R, H, C, D]
        self.owners: list[str | None] = [None] * num_slots
        self.epochs = [0] * num_slots
        self.filled = [[0] * num_layers for _ in range(num_slots)]
        self.reached = [[0] * num_layers for _ in range(rows)]
        self.tags = tags
        self._allocations = self._clock = 0
        self._written = [[WriteLog() for _ in range(num_layers)] for _ in range(rows)]
        if tags is not None:
            tags.attach(rows, num_layers, columns)

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
        return self._sizes[0]

    @property
    def capacity(self) -> int:
        """How many tokens a slot holds."""
        return self._sizes[1]

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

    # --- where a token lies

    def layout(self, num_slots: int, capacity: int) -> tuple[int, int]:
        """Return the shape of the pools: how many rows, of how many columns each. Here a row is a slot."""
        return num_slots, capacity

    def where(self, slot: int, columns: Columns) -> Sequence[Piece]:
        """Return where these columns of a slot lie: (row of the pools, columns in that row), piece after piece.

        The pieces follow the order of `columns`; here there is one. Two slots that share data name the same places.
        """
        return ((self.row_of(slot), columns),)

    def fetch(self, layer: int, slots: Sequence[int], reach: int) -> tuple[Tensor, Tensor]:
        """Return keys and values of the first `reach` columns of these slots, [B, H, reach, D] each.

        What lies beyond a slot's valid length is whatever lies there: the reader's mask says what counts.
        """
        rows = [self.row_of(slot) for slot in slots]
        return self.keys[layer, rows, :, :reach], self.values[layer, rows, :, :reach]

    def by_place(self, pool: str, layer: int) -> Tensor:
        """Return a layer of the pool "keys" or "values" as a view [rows, columns, H, D]: a write to it is a write."""
        return getattr(self, pool)[layer].transpose(1, 2)

    def valid_places(self, layer: int) -> set[tuple[int, int]]:
        """Return every (row, column) of the pools whose data the books call valid in this layer.

        A cache that keeps data without a tenant, for later, adds it here. All else is nobody's: poison may lie there.
        """
        return {
            (row, column)
            for slot, owner in enumerate(self.owners) if owner is not None
            for row, columns in self.where(slot, range(self.length(slot, layer))) for column in columns
        }  # fmt: skip

    # --- reading

    def view(self, slot: int, layer: int, reader: str | None = None) -> tuple[Tensor, Tensor]:
        """Return the slot's valid keys and values of a layer, [H, length, D] each: views, not copies.

        With tags the read is checked: `reader` (the slot's owner unless given) must have the right to each token.
        """
        length, row = self.length(slot, layer), self.row_of(slot)
        self._check_rights(slot, layer, range(length), reader)
        return self.keys[layer, row, :, :length], self.values[layer, row, :, :length]

    def check_read(self, slot: int, layer: int, columns: Columns, reader: str | None = None) -> None:
        """With tags: raise OwnershipViolation unless the reader may read these columns of the slot."""
        self._slot(slot)
        edges = columns[::max(1, len(columns) - 1)] if isinstance(columns, range) else columns
        if not all(0 <= column < self.capacity for column in edges):
            raise ValueError(f"There is no column {columns!r}: they are numbered 0 to {self.capacity - 1}.")
        self._check_rights(slot, self._layer(layer), columns, reader)

    def _check_rights(self, slot: int, layer: int, columns: Columns, reader: str | None) -> None:
        if self.tags is not None:
            who = self.owners[slot] if reader is None else reader
            for row, part in self.where(slot, columns):
                self.tags.reads(who, self.epochs[slot], row, layer, part)

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
        """Put T tokens, k and v [H, T, D], after the valid ones of this slot in this layer.

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
        done = 0
        for row, columns in self.where(slot, range(start, start + k.shape[1])):
            if not columns:
                continue
            first, last, new = columns[0], columns[-1] + 1, slice(done, done + len(columns))
            self._touch(row, layer, first, last)
            self.keys[layer, row, :, first:last] = k[:, new]
            self.values[layer, row, :, first:last] = v[:, new]
            if self.tags is not None:
                self.tags.wrote(writer or self.owners[slot], self.epochs[slot], row, layer, range(first, last))
            done += len(columns)

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
        pieces = tuple(
            () if owner is None else tuple(self.where(slot, range(max(self.filled[slot]))))
            for slot, owner in enumerate(self.owners)
        )
        return Mark(self, self._clock, tuple(self.owners), tuple(self.epochs), self.lengths, pieces)

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
        for slot, pieces in enumerate(mark.pieces):
            valid = enumerate(mark.lengths[slot])
            if any(self._written_since(mark.clock, pieces, layer, length) for layer, length in valid):
                raise StaleMark(
                    f"Slot {slot} of {mark.owners[slot]!r} was written anew since the mark: its data is gone."
                )

    def _written_since(self, clock: int, pieces: Sequence[Piece], layer: int, left: int) -> bool:
        """Say whether one of the first `left` columns of these pieces was written after this time."""
        for row, columns in pieces:
            valid = columns[:left]
            lowest = self._written[row][layer].lowest_since(clock) if valid else None
            if lowest is not None and lowest <= valid[-1]:
                return True
            left -= len(valid)
        return False

    def _touch(self, row: int, layer: int, start: int, stop: int) -> None:
        """Note that these columns are being overwritten now."""
        self._clock += 1
        if start < stop:
            self._written[row][layer].note(self._clock, start)
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
