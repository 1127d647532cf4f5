"""A paged cache in the place of slots: each request's tokens lie in blocks, and a table says in which.

`PagedCache` has the interface of SlotCache; a slot is only a ticket here.
Shapes: L layers, N blocks, H key/value heads, P places in a block, D head_dim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from sharedstate.kvcache.blocks import NULL_BLOCK, BlockPool, BlockTable, OutOfBlocks
from sharedstate.kvcache.ownership import OwnerTags
from sharedstate.kvcache.slots import Mark, SlotCache, StaleMark


@dataclass(frozen=True)
class _PagedMark(Mark):
    """A mark that also knows each slot's table: the object, its blocks, and their generations."""

    tables: tuple[tuple[BlockTable, tuple[int, ...], tuple[int, ...]], ...]


class PagedCache(SlotCache):
    """Keys and values in two pools of blocks, [L, N, H, P, D]; `tables[slot]` says which blocks a slot has.

    block_size and num_blocks are the class's: make a subclass for others. Without num_blocks there are enough for
    every slot to be full, and the null block.
    """

    block_size: ClassVar[int] = 4
    num_blocks: ClassVar[int | None] = None

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
        """Take what SlotCache takes."""
        blocks = self.num_blocks or num_slots * -(-capacity // self.block_size) + 1
        super().__init__(num_slots, 1, num_layers, num_kv_heads, head_dim, dtype, device)
        self._slots, self._capacity = num_slots, capacity
        shape = (num_layers, blocks, num_kv_heads, self.block_size, head_dim)
        self.keys = torch.zeros(shape, dtype=dtype, device=device)  # [L, N, H, P, D]
        self.values = torch.zeros(shape, dtype=dtype, device=device)  # [L, N, H, P, D]
        self.pool = self.make_pool(blocks)
        self.tables = [BlockTable(self.pool) for _ in range(num_slots)]
        self._copied: dict[int, tuple[int, int]] = {}
        self.tags = tags
        if tags is not None:
            tags.attach(blocks, num_layers, self.block_size)

    def make_pool(self, num_blocks: int) -> BlockPool:
        """Return the pool that keeps the books."""
        return BlockPool(num_blocks, self.block_size, copy=self.copy_block)

    # --- looking

    @property
    def num_slots(self) -> int:
        """How many requests there may be at once."""
        return self._slots

    @property
    def capacity(self) -> int:
        """How many tokens a request may have."""
        return self._capacity

    def extent(self, slot: int, layer: int | None = None) -> int:
        """Return how far the slot's blocks reach: from its length up to here the data is stale."""
        return len(self.tables[self._slot(slot)].blocks) * self.block_size

    def place(self, slot: int, column: int) -> tuple[int, int]:
        """Return where a token lies, (block, place in it); beyond the table that is the null block."""
        blocks, size = self.tables[slot].blocks, self.block_size
        return (blocks[column // size] if column // size < len(blocks) else NULL_BLOCK), column % size

    def rows_of(self, slots: Sequence[int], reach: int) -> Tensor:
        """Return the tables of several slots as the kernel wants them: [B, W] block ids, null behind their ends."""
        width = -(-reach // self.block_size)
        lines = [self.tables[slot].blocks[:width] for slot in slots]
        filled = [[*line, *[NULL_BLOCK] * (width - len(line))] for line in lines]
        return torch.tensor(filled, dtype=torch.long, device=self.keys.device)

    def gather(self, layer: int, rows: Tensor, reach: int) -> tuple[Tensor, Tensor]:
        """Return the keys and values that rows of block ids [B, W] name, [B, H, reach, D] each."""
        found = []
        for pool in (self.keys, self.values):
            data = pool[layer, rows]  # [B, W, H, P, D]
            found.append(data.transpose(1, 2).flatten(2, 3)[:, :, :reach])
        return found[0], found[1]

    def view(self, slot: int, layer: int, reader: str | None = None) -> tuple[Tensor, Tensor]:
        """Return the slot's valid keys and values of a layer, [H, length, D] each: copies, put together."""
        length = self.length(slot, layer)
        self._check_rights(slot, layer, range(length), reader)
        keys, values = self.gather(layer, self.rows_of([slot], length), length)
        return keys[0], values[0]

    def _check_rights(self, slot: int, layer: int, columns: range | list[int], reader: str | None) -> None:
        if self.tags is None:
            return
        who = self.owners[slot] if reader is None else reader
        for column in columns:
            block, place = self.place(slot, column)
            self.tags.reads(who, self.block_epoch(block), block, layer, [place])

    def block_epoch(self, block: int) -> int:
        """Return the epoch of a block's content: another one whenever it is given out; a copy keeps its source's."""
        generation = self.pool.generation[block]
        copied, epoch = self._copied.get(block, (-1, 0))
        return epoch if copied == generation else generation * self.pool.num_blocks + block

    # --- changing

    def copy_block(self, source: int, target: int) -> None:
        """Copy a block's data over another's; whose it was stays true."""
        self.keys[:, target] = self.keys[:, source]
        self.values[:, target] = self.values[:, source]
        self._copied[target] = self.pool.generation[target], self.block_epoch(source)
        if self.tags is not None:
            self.tags.moved(source, target)

    def adopt(self, slot: int, blocks: Sequence[int]) -> int:
        """Begin an empty slot with blocks of a prefix, which its owner may read; return how many tokens that are."""
        self._owned(slot)
        table = self.tables[slot]
        table.adopt(blocks)
        self._share(slot, blocks)
        self.filled[slot] = [table.num_tokens] * self.num_layers
        return table.num_tokens

    def fork(self, slot: int, owner: str) -> int:
        """Give a new slot the same tokens: every block is shared. Return the slot. Raises CacheFull."""
        self._owned(slot)
        child = self.allocate(owner)
        self.tables[child] = self.tables[slot].fork()
        self.filled[child] = list(self.filled[slot])
        self._share(child, self.tables[child].blocks)
        return child

    def _share(self, slot: int, blocks: Sequence[int]) -> None:
        owner = self.owners[slot]
        if self.tags is not None and owner is not None:
            for block in blocks:
                self.tags.share(block, {owner})

    def _store(self, slot: int, layer: int, k: Tensor, v: Tensor, start: int, writer: str | None) -> None:
        self._cover(slot, start + k.shape[1])
        places = [self.place(slot, column) for column in range(start, start + k.shape[1])]
        blocks, inside = ([place[n] for place in places] for n in (0, 1))
        self.keys[layer, blocks, :, inside] = k.transpose(0, 1)  # [T, H, D]
        self.values[layer, blocks, :, inside] = v.transpose(0, 1)
        if self.tags is not None:
            who = writer or self.owners[slot]
            for block, place in places:
                self.tags.wrote(who, self.block_epoch(block), block, layer, range(place, place + 1))

    def _advance(self, slot: int, layer: int, count: int) -> None:
        self._cover(slot, self.filled[slot][layer] + count)
        super()._advance(slot, layer, count)

    def _cover(self, slot: int, tokens: int) -> None:
        """Let the table reach so far; the first layer to come makes the place for all."""
        table = self.tables[slot]
        if tokens > table.num_tokens:
            table.append(tokens - table.num_tokens)

    def release(self, slot: int) -> None:
        """Take the slot from its owner; its blocks lose one reference each. Raises ValueError for a free slot."""
        self._owned(slot)
        self.tables[slot].free()
        self.tables[slot] = BlockTable(self.pool)
        super().release(slot)

    def clear(self, slot: int) -> None:
        """Overwrite with zeros every block that is free and holds no prefix. ValueError while the slot has tokens."""
        if max(self.filled[self._slot(slot)]):
            raise ValueError(f"Slot {slot} holds {max(self.filled[slot])} valid tokens: release it first.")
        for block in self.pool.free_block_queue.keys() - self.pool.kept:
            self.keys[:, block] = 0
            self.values[:, block] = 0
            if self.tags is not None:
                self.tags.cleared(block)

    def snapshot(self) -> Mark:
        """Return a mark to which `rollback` can go back, as long as its blocks were given to nobody else."""
        plain, generation = super().snapshot(), self.pool.generation
        tables = tuple((t, tuple(t.blocks), tuple(generation[block] for block in t.blocks)) for t in self.tables)
        return _PagedMark(**vars(plain), tables=tables)

    def rollback(self, mark: Mark) -> None:
        """Go back to a mark: blocks that came since go back to the pool. Raises StaleMark as SlotCache does."""
        self._check_mark(mark)
        assert isinstance(mark, _PagedMark)  # the only kind that this cache gives
        wanted = [max(lengths, default=0) for lengths in mark.lengths]
        for slot, (table, blocks, _) in enumerate(mark.tables):
            if self.tables[slot] is not table:
                self.tables[slot].free()
                self.tables[slot] = table
                self.pool.retake(blocks)
                table.blocks, table.num_tokens = list(blocks), wanted[slot]
            table.truncate(min(wanted[slot], table.num_tokens))
        super().rollback(mark)

    # --- checking

    def check_room(self, slot: int, count: int, layer: int | None = None) -> None:
        """Raise CacheFull unless `count` more tokens fit: under the capacity, and into blocks that are free."""
        super().check_room(slot, count, layer)
        filled, table = self.filled[slot], self.tables[slot]
        more = (max(filled) if layer is None else filled[layer]) + count - table.num_tokens
        if more > 0 and table.missing(more) > self.pool.num_free:
            raise OutOfBlocks(
                f"{count} more tokens of {self.owners[slot]!r} need {table.missing(more)} blocks, and "
                f"{self.pool.num_free} are free: preempt or finish a request."
            )

    def check(self) -> None:
        """Raise BrokenInvariant unless the pool and the tables agree."""
        self.pool.check(self.tables)

    def _check_mark(self, mark: Mark) -> None:
        if not isinstance(mark, _PagedMark):
            raise ValueError(f"A mark is what snapshot() gives, not {mark!r}.")
        if mark.cache is not self:
            raise StaleMark("This mark belongs to another cache.")
        for slot, (table, blocks, generations) in enumerate(mark.tables):
            if self.tables[slot] is table:
                if table.num_tokens < max(mark.lengths[slot], default=0):
                    raise StaleMark(f"Slot {slot} of {mark.owners[slot]!r} was cut since the mark: its data is gone.")
            elif any(self.pool.generation[b] != g for b, g in zip(blocks, generations, strict=True)):
                raise StaleMark(f"A block of {mark.owners[slot]!r} was given away since the mark: its data is gone.")
