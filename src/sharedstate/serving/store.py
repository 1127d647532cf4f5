"""Where keys and values live: one pool of blocks for all requests, and which blocks are whose.

Shapes: L layers, N blocks of S places, Hkv key/value heads, D head_dim; b requests of a group, c new tokens each,
K places read. The pool is head-major: one index_select lays a group's keys and values out as attention wants them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from sharedstate.kvcache import BlockPool, BlockTable, OwnerTags, PrefixIndex, PrefixKeys
from sharedstate.model import GPTConfig
from sharedstate.serving.requests import Live

GROUP_BYTES = 4 << 20  # what is fetched at once: it should still be in the processor's cache when it is read
CHUNK = 64  # of a prompt, in the deterministic mode: widths change at its multiples only


def own_width(num_tokens: int) -> int:
    """Return how many keys are read for a request of this length in the deterministic mode, whoever is beside it.

    A matrix product over 240 keys and 16 zeros need not have the bits of one over 240 keys. So nobody's keys are padded
    to a neighbour's length, but to the next step of a ladder: 64 apart at first, later a quarter of a power of two.
    """
    step = max(CHUNK, 1 << max(0, (num_tokens - 1).bit_length() - 3))
    return -(-num_tokens // step) * step


class Span(NamedTuple):
    """The tokens of a request that a step computes: from `start` on, `new` of them."""

    live: Live
    start: int
    new: int


@dataclass(frozen=True)
class Group:
    """Spans with equally many new tokens, attended together. blocks [b, K / S] and index say where their past lies."""

    spans: list[Span]
    blocks: Tensor
    index: Tensor
    width: int


class PagedStore:
    """The pool, a table for each request in a row of its own, and the prefixes that can be found again."""

    def __init__(
        self,
        shape: GPTConfig,
        num_blocks: int,
        block_size: int,
        max_batch: int,
        dtype: torch.dtype = torch.float32,
        device: torch.device | str = "cpu",
        prefix: PrefixKeys | None = None,
        tags: OwnerTags | None = None,
        deterministic: bool = False,
    ) -> None:
        """Reserve the pool. With `prefix` full blocks can be found again; with tags every read is checked.

        deterministic: how many keys are read for a request depends on that request alone.
        """
        self.shape, self.block_size, self.tags, self.deterministic = shape, block_size, tags, deterministic
        self.pool = BlockPool(num_blocks, block_size)
        self.index = None if prefix is None else PrefixIndex(self.pool, prefix)
        size = (shape.num_layers, 2, num_blocks, shape.num_kv_heads, block_size, shape.head_dim)
        self.data = torch.zeros(size, dtype=dtype, device=device)  # [L, 2, N, Hkv, S, D]
        self.rows: list[Live | None] = [None] * max_batch
        widest = -(-own_width(self.capacity()) // block_size)  # beyond a request's own blocks a row stays null,
        self.tables = torch.zeros(max_batch + 1, widest, dtype=torch.long, device=device)  # and so does the last row
        heads = torch.arange(shape.num_kv_heads, device=device)
        both = torch.arange(2, device=device) * num_blocks * shape.num_kv_heads
        self._parts = both[:, None] + heads  # [2, Hkv]
        self._buffer = torch.empty(0, dtype=dtype, device=device)
        self._admissions = 0
        if tags is not None:
            tags.attach(num_blocks, shape.num_layers, block_size)

    # --- requests come and go

    @property
    def seated(self) -> list[Live]:
        """The requests that have a row, in the order of their admission."""
        return sorted((live for live in self.rows if live is not None), key=lambda live: live.epoch)

    def capacity(self) -> int:
        """Return how many tokens one request can have at most."""
        return (self.pool.num_blocks - 1) * self.block_size

    def fits(self, live: Live) -> bool:
        """Say whether a row and enough free blocks for all of its tokens are there."""
        return None in self.rows and -(-len(live.tokens) // self.block_size) <= self.pool.num_free

    def seat(self, live: Live) -> None:
        """Give a request a row, and the blocks of its prefix that are found. Interrupted, it can be called again."""
        if live.row is None:
            self._admissions += 1
            live.epoch, live.table = self._admissions, BlockTable(self.pool)
            live.num_computed = live.published = live.mapped = 0
            row = self.rows.index(None)
            self.rows[row], live.row = live, row
        if self.index is not None and live.table is not None and not live.table.blocks:
            live.chain = self.index.chain(live.tokens, live.request.factors)
            hit = self.index.match(live.chain)
            if self.tags is not None:
                for block in hit.blocks:
                    self.tags.share(block, {live.request.id: live.epoch})
            live.table.adopt(hit.blocks)
            live.num_computed = live.table.num_tokens
            live.hits = max(live.hits, min(hit.num_tokens, len(live.request.prompt)))
            live.published = len(hit.blocks)
        self._map(live)

    def extend(self, live: Live, num_tokens: int) -> None:
        """Have places for its first `num_tokens` tokens. Raises OutOfBlocks; nothing has changed then."""
        assert live.table is not None
        more = num_tokens - live.table.num_tokens
        if 0 < more <= live.table.room:  # its last block is its own: only full ones are shared
            live.table.num_tokens = num_tokens
        elif more > 0:
            live.table.append(more)
        self._map(live)

    def leave(self, live: Live) -> None:
        """Give its blocks and its row back. Interrupted, it can be called again; without a row it does nothing."""
        if live.row is not None:
            if live.table is not None:
                live.table.free()
            self.tables[live.row] = 0
            self.rows[live.row] = None
        live.row = live.table = live.chain = None
        live.num_computed = 0

    def publish(self, live: Live) -> None:
        """Let its full blocks be found, as far as they are computed; called after the write, never before."""
        if self.index is None or live.chain is None or live.num_computed // self.block_size <= live.published:
            return
        assert live.table is not None
        live.chain.extend(live.tokens[len(live.chain.tokens) :])
        self.index.publish(live.table, live.chain, live.num_computed)
        live.published = live.num_computed // self.block_size

    def _map(self, live: Live) -> None:
        """Write its blocks into its row of `tables`, those that are new there."""
        assert live.table is not None and live.row is not None
        blocks = live.table.blocks
        if live.mapped < len(blocks):
            self.tables[live.row, live.mapped : len(blocks)] = torch.tensor(blocks[live.mapped :])
            live.mapped = len(blocks)

    # --- one step

    def grouped(self, spans: Sequence[Span]) -> list[list[Span]]:
        """Put spans together that are read together: equal counts, lengths close to each other, a few MB at most.

        In the deterministic mode, equal widths.
        """
        per_place = 2 * self.shape.num_kv_heads * self.shape.head_dim * self.data.element_size()
        groups: list[list[Span]] = []
        for span in sorted(spans, key=lambda span: (span.new, span.start)):
            width = self.width(span)
            same = groups and groups[-1][0].new == span.new
            if self.deterministic:
                same = same and self.width(groups[-1][0]) == width
            size = per_place * width
            if same and (len(groups[-1]) + 1) * size <= GROUP_BYTES:
                groups[-1].append(span)
            else:
                groups.append([span])
        return groups

    def width(self, span: Span) -> int:
        """Return how many keys are read for a span, the new ones included: whole blocks, or a step of the ladder."""
        end = span.start + span.new
        return own_width(end) if self.deterministic else -(-end // self.block_size) * self.block_size

    def group(self, spans: list[Span]) -> Group:
        """Return where the past of these spans lies, the new tokens included, in whole blocks."""
        count = max(map(self.width, spans)) // self.block_size
        rows = torch.tensor([span.live.row for span in spans], device=self.tables.device)
        blocks = self.tables[rows, :count]  # [b, K / S]
        index = (blocks[:, None] * self.shape.num_kv_heads)[None] + self._parts[:, None, :, None]  # [2, b, Hkv, K / S]
        return Group(spans, blocks, index.flatten(), count * self.block_size)

    def places(self, rows: Tensor, positions: Tensor) -> Tensor:
        """Return where the keys and values of tokens [T] go in the pool, [T * 2 * Hkv]."""
        blocks = self.tables[rows, positions // self.block_size]  # [T]
        lines = blocks[:, None, None] * self.shape.num_kv_heads + self._parts  # [T, 2, Hkv]
        return (lines * self.block_size + (positions % self.block_size)[:, None, None]).flatten()

    def write(self, layer: int, places: Tensor, kv: Tensor, groups: Sequence[Group]) -> None:
        """Put new keys and values, kv [T, 2, Hkv, D], in their places."""
        self.data[layer].view(-1, self.shape.head_dim).index_copy_(0, places, kv.reshape(-1, self.shape.head_dim))
        if self.tags is not None:
            for group in groups:
                self._note(layer, group)

    def fetch(self, layer: int, group: Group) -> tuple[Tensor, Tensor]:
        """Return the keys and values of a group, [b, Hkv, K, D] each; they hold until the next fetch."""
        if self.tags is not None:
            self._check(layer, group)
        lines = self.data[layer].view(-1, self.block_size * self.shape.head_dim)  # [2 N Hkv, S D]
        size = group.index.numel() * lines.shape[1]
        if self._buffer.numel() < size:
            self._buffer = lines.new_empty(size)
        out = self._buffer[:size].view(-1, lines.shape[1])
        torch.index_select(lines, 0, group.index, out=out)
        k, v = out.view(2, len(group.spans), self.shape.num_kv_heads, group.width, self.shape.head_dim)
        return k, v

    # --- owner tags, where they are switched on

    def _note(self, layer: int, group: Group) -> None:
        assert self.tags is not None
        for span, line in zip(group.spans, group.blocks.tolist(), strict=True):
            for number in range(span.start // self.block_size, -(-(span.start + span.new) // self.block_size)):
                first = number * self.block_size
                columns = range(max(0, span.start - first), min(self.block_size, span.start + span.new - first))
                self.tags.wrote(span.live.request.id, span.live.epoch, line[number], layer, columns)

    def _check(self, layer: int, group: Group) -> None:
        """May each request read what the mask will open?"""
        assert self.tags is not None
        for span, line in zip(group.spans, group.blocks.tolist(), strict=True):
            for number, block in enumerate(line):
                columns = range(min(self.block_size, max(0, span.start + span.new - number * self.block_size)))
                self.tags.reads(span.live.request.id, span.live.epoch, block, layer, columns)
