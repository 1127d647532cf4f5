"""Slots, blocks and prefixes driven together, against a plain dictionary: {request: the numbers it must read}.

A number is the text so far, written as digits: after the tokens 1, 2, 1 it is 121, with adapter 9 in front 9121.
So keys and values are small whole numbers that depend on all tokens before, and a leak can be read by eye.
"""

from __future__ import annotations

from typing import Any

import torch
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from sharedstate.kvcache import (
    BlockPool,
    BlockRows,
    BlockTable,
    Factors,
    OutOfBlocks,
    PrefixIndex,
    PrefixKeys,
    SlotCache,
)

BLOCKS, SIZE, SLOTS, CAPACITY, WIDTH = 7, 2, 4, 8, 4
TOKENS = st.lists(st.integers(1, 2), min_size=1, max_size=5)
WHO = st.integers(0, SLOTS - 1)
ADAPTERS = (None, "9")


def numbers(tokens: list[int], adapter: str | None) -> list[int]:
    """What a request must read: at each place the text so far."""
    said = [adapter or ""]
    for token in tokens:
        said.append(said[-1] + str(token))
    return [int(text) for text in said[1:]]


class Parts:
    """The classes under test; a planted bug replaces one of them."""

    pool = BlockPool
    table = BlockTable
    rows = BlockRows
    index = PrefixIndex
    keys = PrefixKeys
    slots = SlotCache
    steps = 0  # how many rules the last run took; the invariant is asked after each, and once before
    operations = 0  # and all runs together


class Paged:
    """Requests in blocks. `data` is the memory; prompts are written where nothing was found."""

    def __init__(self, parts: type[Parts]) -> None:
        self.parts, self.data = parts, [[0] * SIZE for _ in range(BLOCKS)]
        self.pool = parts.pool(BLOCKS, SIZE, copy=self.copy)
        self.index = parts.index(self.pool, parts.keys(b"secret"))
        self.tables: dict[str, BlockTable] = {}
        self.chains: dict[str, Any] = {}
        self.batch, self.rows = parts.rows(WIDTH), {}
        self.order: list[str] = []

    def copy(self, source: int, target: int) -> None:
        self.data[target][:] = self.data[source]

    def admit(self, name: str, tokens: list[int], adapter: str | None) -> None:
        table, chain = self.parts.table(self.pool), self.index.chain(tokens, Factors(adapter=adapter))
        table.adopt(self.index.match(chain).blocks)
        try:
            self.write(table, numbers(tokens, adapter)[table.num_tokens :])
        except OutOfBlocks:
            table.free()
            raise
        self.index.publish(table, chain, table.num_tokens)
        self.put(name, table, chain)

    def put(self, name: str, table: BlockTable, chain: Any) -> None:
        self.tables[name], self.chains[name] = table, chain
        self.batch.add(table)
        self.order.append(name)

    def write(self, table: BlockTable, new: list[int]) -> None:
        for place, number in zip(table.append(len(new)), new, strict=True):
            self.data[place // SIZE][place % SIZE] = number

    def append(self, name: str, token: int, number: int) -> None:
        table, chain = self.tables[name], self.chains[name]
        self.write(table, [number])
        chain.extend([token])
        self.index.publish(table, chain, table.num_tokens)
        self.batch.refresh(self.order.index(name), table)

    def fork(self, name: str, child: str) -> None:
        chain = self.chains[name]
        self.put(child, self.tables[name].fork(), self.index.chain(chain.tokens, chain.factors))

    def end(self, name: str) -> None:
        row = self.order.index(name)
        self.batch.remove(row)
        self.order[row] = self.order[-1]
        self.order.pop()
        self.tables.pop(name).free()
        del self.chains[name]

    def broken_off(self, name: str) -> None:
        """A step that gets its place and breaks off before it has written: the lengths go back."""
        table = self.tables[name]
        before = table.num_tokens
        table.append()
        table.truncate(before)
        self.batch.refresh(self.order.index(name), table)

    def flood(self) -> None:
        """Somebody takes all that is free, and gives it back: kept prefixes are evicted."""
        blocks = self.pool.allocate(self.pool.num_free)
        for block in blocks:
            self.data[block][:] = [7] * SIZE
        self.pool.free(blocks)

    def read(self, name: str) -> list[int]:
        return [self.data[place // SIZE][place % SIZE] for place in self.tables[name].slot_mapping()]

    def pad(self) -> None:
        """A wide kernel writes one block beyond each request, by its row: it must fall into the null block."""
        for row, name in enumerate(self.order):
            table = self.tables[name]
            start = len(table.blocks) * SIZE
            stop = min(start + SIZE, WIDTH * SIZE)
            for place in self.batch.slot_mapping(row, start, stop, SIZE):
                self.data[place // SIZE][place % SIZE] = -1

    def check(self) -> None:
        self.pool.check([self.tables[name] for name in self.order], self.batch.rows)
        self.index.check()


class Contiguous:
    """The same requests in slots; a fork copies everything."""

    def __init__(self, parts: type[Parts]) -> None:
        self.cache = parts.slots(SLOTS, CAPACITY, 1, 1, 1, dtype=torch.float64)
        self.slot: dict[str, int] = {}

    def admit(self, name: str, new: list[int]) -> None:
        self.slot[name] = self.cache.allocate(name)
        self.append(name, new)

    def append(self, name: str, new: list[int]) -> None:
        k = torch.tensor(new, dtype=torch.float64).view(1, -1, 1)
        self.cache.append(self.slot[name], 0, k, -k)

    def end(self, name: str) -> None:
        self.cache.release(self.slot.pop(name))

    def read(self, name: str) -> list[int]:
        return self.cache.view(self.slot[name], 0)[0].flatten().int().tolist()


class Machine(RuleBasedStateMachine):
    """Random lives of up to four requests. Subclass it with other `parts`."""

    parts: type[Parts] = Parts

    def __init__(self) -> None:
        super().__init__()
        self.paged, self.contiguous = Paged(self.parts), Contiguous(self.parts)
        self.model: dict[str, tuple[list[int], str | None]] = {}
        self.waiting: list[tuple[list[int], str | None]] = []
        self.born = 0
        self.parts.steps = -1

    def name(self) -> str:
        self.born += 1
        return f"r{self.born}"

    def chosen(self, who: int) -> str:
        return list(self.model)[who % len(self.model)]

    def came(self, name: str, tokens: list[int], adapter: str | None) -> None:
        self.model[name] = list(tokens), adapter
        self.contiguous.admit(name, numbers(tokens, adapter))

    @precondition(lambda self: len(self.model) < SLOTS)
    @rule(tokens=TOKENS, adapter=st.sampled_from(ADAPTERS))
    def admit(self, tokens: list[int], adapter: str | None) -> None:
        name = self.name()
        try:
            self.paged.admit(name, tokens, adapter)
        except OutOfBlocks:
            return
        self.came(name, tokens, adapter)

    @precondition(lambda self: self.model)
    @rule(who=WHO, token=st.integers(1, 2))
    def append(self, who: int, token: int) -> None:
        name = self.chosen(who)
        tokens, adapter = self.model[name]
        if len(tokens) == CAPACITY:
            return
        number = numbers([*tokens, token], adapter)[-1]
        try:
            self.paged.append(name, token, number)
        except OutOfBlocks:
            return
        tokens.append(token)
        self.contiguous.append(name, [number])

    @precondition(lambda self: 0 < len(self.model) < SLOTS)
    @rule(who=WHO)
    def fork(self, who: int) -> None:
        parent, child = self.chosen(who), self.name()
        self.paged.fork(parent, child)
        self.came(child, *self.model[parent])

    @precondition(lambda self: self.model)
    @rule(who=WHO)
    def finish(self, who: int) -> None:
        name = self.chosen(who)
        self.paged.end(name), self.contiguous.end(name)
        del self.model[name]

    @precondition(lambda self: self.model)
    @rule(who=WHO)
    def abort_a_step(self, who: int) -> None:
        name = self.chosen(who)
        if len(self.model[name][0]) < CAPACITY:
            try:
                self.paged.broken_off(name)
            except OutOfBlocks:
                return

    @precondition(lambda self: self.model)
    @rule(who=WHO)
    def preempt(self, who: int) -> None:
        """Blocks are given back; the tokens are kept, to be computed anew."""
        name = self.chosen(who)
        self.waiting.append(self.model[name])
        self.finish(who)

    @precondition(lambda self: self.waiting and len(self.model) < SLOTS)
    @rule()
    def resume(self) -> None:
        tokens, adapter = self.waiting.pop()
        self.admit(tokens, adapter)

    @precondition(lambda self: self.paged.pool.kept)
    @rule()
    def evict(self) -> None:
        self.paged.flood()

    @precondition(lambda self: self.model)
    @rule()
    def wide_kernel(self) -> None:
        self.paged.pad()

    @invariant()
    def everybody_reads_what_is_theirs(self) -> None:
        self.parts.steps += 1
        self.parts.operations += self.parts.steps > 0
        self.paged.check()
        for name, (tokens, adapter) in self.model.items():
            wanted = numbers(tokens, adapter)
            assert self.paged.read(name) == wanted == self.contiguous.read(name), (name, wanted)


