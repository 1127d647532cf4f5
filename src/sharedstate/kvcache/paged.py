"""A paged cache in the place of slots: each request's tokens lie in blocks, and a table says in which.

`PagedCache` has the interface of SlotCache; a slot is only a ticket here. `PagedEngine` reads through the tables,
finds prefixes again, and forks. Shapes: L layers, N blocks, H key/value heads, P places in a block, D head_dim.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor

from sharedstate.kvcache.blocks import NULL_BLOCK, BlockPool, BlockTable, OutOfBlocks
from sharedstate.kvcache.decode import cached_step
from sharedstate.kvcache.engine import Rows, SlotEngine
from sharedstate.kvcache.ownership import OwnerTags
from sharedstate.kvcache.prefix import Chain, Factors, PrefixIndex, PrefixKeys
from sharedstate.kvcache.slots import Mark, SlotCache, StaleMark
from sharedstate.model import GPT, seeded
from sharedstate.model.positions import Rope


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


class PagedEngine(SlotEngine):
    """Requests by name, whose tokens lie in blocks. With reuse a prompt begins with the blocks of an equal prefix.

    `index` finds them (None without reuse). A request may have Factors: adapter, state, images and first position
    change what is computed, tenant and model only the key.
    """

    cache: PagedCache

    def __init__(
        self,
        model: GPT,
        num_slots: int = 4,
        capacity: int = 64,
        tags: OwnerTags | None = None,
        *,
        cache: type[PagedCache] = PagedCache,
        reuse: bool = False,
        keys: PrefixKeys | None = None,
        **options: Any,
    ) -> None:
        """Make an engine with an empty cache. keys: how prefixes are hashed; options: SlotEngine's."""
        super().__init__(model, num_slots, capacity, tags, cache=cache, **options)
        self.index = self.make_index(keys or PrefixKeys()) if reuse else None
        self.factors: dict[str, Factors] = {}
        self.chains: dict[str, Chain] = {}

    def add(self, request: str, prompt: Sequence[int], factors: Factors | None = None) -> Tensor:
        """Prefill one request; see SlotEngine.add. A prefix that is known is not computed again."""
        before = self.factors.get(request)
        self.factors[request] = factors or Factors()
        try:
            return super().add(request, prompt)
        except BaseException:
            if before is None:
                del self.factors[request]
            else:
                self.factors[request] = before
            raise

    def step(self, tokens: Mapping[str, int]) -> dict[str, Tensor]:
        """Append one token to each request; blocks that have become full can be found from now on."""
        logits = super().step(tokens)
        for request, token in tokens.items():
            if request in self.chains:
                self.chains[request].extend([token])
                self._publish(request)
        return logits

    def fork(self, request: str, child: str) -> None:
        """Let a second request go on from the same tokens; nothing is copied yet. Raises as `add` does."""
        slot = self.slot_of(request)
        if child in self.slots:
            raise ValueError(f"Request {child!r} is already running.")
        self.slots[child] = self.cache.fork(slot, child)
        self.factors[child] = self.factors.get(request, Factors())
        if slot in self.padded:
            self.padded[self.slots[child]] = self.padded[slot]
        if request in self.chains:
            chain = self.chains[request]
            self.chains[child] = self.key_chain(child, chain.tokens)

    def finish(self, request: str) -> None:
        """End a request; see SlotEngine.finish."""
        super().finish(request)
        self.factors.pop(request, None)
        self.chains.pop(request, None)

    # --- decisions, one a method

    def make_index(self, keys: PrefixKeys) -> PrefixIndex:
        """Return the index that finds prefixes again."""
        return PrefixIndex(self.cache.pool, keys)

    def key_factors(self, request: str) -> Factors:
        """Return what a request's prefix is found again by, besides its tokens: all that its keys depend on."""
        return self.factors.get(request) or Factors()

    def key_chain(self, request: str, prompt: Sequence[int]) -> Chain:
        """Return the block hashes of a prompt."""
        assert self.index is not None
        return self.index.chain(prompt, self.key_factors(request))

    def take_prefix(self, slot: int, prompt: Sequence[int]) -> Sequence[int]:
        """Begin the slot with the blocks that are known; return the tokens still to be computed."""
        request = self.cache.owner(slot)
        if self.index is None or request is None:
            return prompt
        hit = self.index.match(self.key_chain(request, prompt))
        return prompt[self.cache.adopt(slot, hit.blocks) :]

    def keep_prefix(self, slot: int, prompt: Sequence[int]) -> None:
        """Let the prompt's full blocks be found (with reuse): they are written now."""
        request = self.cache.owner(slot)
        if self.index is not None and request is not None:
            self.chains[request] = self.key_chain(request, prompt)
            self._publish(request)

    def _publish(self, request: str) -> None:
        if self.index is not None:
            slot = self.slots[request]
            self.index.publish(self.cache.tables[slot], self.chains[request], self.cache.length(slot))

    def block_rows(self, rows: Rows, reach: int) -> Tensor:
        """Return the block ids of each row, [B, W]: its own table, null behind its end."""
        return self.cache.rows_of(rows.slots, reach)

    def read(self, layer: int, rows: Rows) -> tuple[Tensor, Tensor]:
        """Return the keys and values of the rows, [B, Hkv, K, D] each, put together from their blocks."""
        self._check_rights(layer, rows)
        reach = self.reach(rows, layer)
        return self.cache.gather(layer, self.block_rows(rows, reach), reach)

    def positions(self, rows: Rows) -> Tensor:
        """Return the position of each new token, [B, Q]: counted from the request's first position."""
        first = [self._factors(request).first_position for request in rows.requests]
        return super().positions(rows) + self._tensor(first)[:, None]

    def embed(self, rows: Rows) -> tuple[Tensor, Rope | None]:
        """Return the first layer's input [B, Q, d_model], adapter and images added, and the rotary tables."""
        x, rope = super().embed(rows)
        own = [self._factors(request) for request in rows.requests]
        if not any(factors.adapter is not None or factors.state or factors.images for factors in own):
            return x, rope
        columns = super().positions(rows)  # [B, Q]
        return x + torch.stack([added(f, columns[b], x) for b, f in enumerate(own)]), rope

    def _factors(self, request: str) -> Factors:
        return self.factors.get(request) or Factors()

    def check(self) -> None:
        """Raise BrokenInvariant or AssertionError unless pool, tables and index agree."""
        self.cache.check()
        if self.index is not None:
            self.index.check()


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

