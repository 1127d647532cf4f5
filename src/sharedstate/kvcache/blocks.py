"""Blocks: the memory of a cache cut into pieces of one size, and for each request a table of those it has.

Bookkeeping only, no tensors: a block is a number, and what lies in it is the caller's. Block 0 is the null block:
it belongs to nobody, padding is written there, and nobody reads it. A free block may still hold a prefix that
somebody can find again (`keep`); such blocks are given out last, and the index hears of it.
The names are vLLM's (vllm/v1/core/block_pool.py), the size of the thing is nano-vllm's.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Sequence

from sharedstate.kvcache.slots import CacheFull

NULL_BLOCK = 0
PAD_SLOT_ID = -1  # "write this token nowhere": never a number to compute with


class OutOfBlocks(CacheFull):
    """Fewer blocks are free than were asked for; nothing has changed. Preempt a request, or make the pool larger."""


class BrokenInvariant(AssertionError):
    """The books of a pool contradict each other or its tables; the text names the first contradiction."""


class BlockPool:
    """Who has which block: reference counts, and the free ones in the order in which they will be given out.

    copy(source, target): how the data of a block is copied, for `writable`; nothing is copied without it.
    `on_evict` is called with a block that is given out again although a prefix was kept in it.
    Every method checks its arguments whole before it changes anything.
    """

    def __init__(self, num_blocks: int, block_size: int = 16, copy: Callable[[int, int], object] | None = None) -> None:
        """Make a pool whose blocks are all free, but the null block. Raises ValueError below 2 blocks or 1 token."""
        for name, size, least in (("num_blocks", num_blocks, 2), ("block_size", block_size, 1)):
            if type(size) is not int or size < least:
                raise ValueError(f"{name} must be a whole number of {least} or more, not {size!r}.")
        self.num_blocks, self.block_size, self.copy = num_blocks, block_size, copy
        self.ref_cnt = [0] * num_blocks
        self.free_block_queue: OrderedDict[int, None] = OrderedDict.fromkeys(range(1, num_blocks))
        self.generation = [0] * num_blocks  # how often a block was given out
        self.kept: set[int] = set()
        self.on_evict: Callable[[int], object] | None = None
        self.copies = 0

    @property
    def num_free(self) -> int:
        """How many blocks can be given out, those with a kept prefix among them."""
        return len(self.free_block_queue)

    @property
    def usage(self) -> float:
        """The share of the blocks that somebody uses now, 0 to 1."""
        return 1 - self.num_free / (self.num_blocks - 1)

    def allocate(self, count: int = 1) -> list[int]:
        """Return `count` blocks, each with one reference; the oldest free ones, kept prefixes last.

        Raises OutOfBlocks when fewer are free, ValueError for a negative count.
        """
        if type(count) is not int or count < 0:
            raise ValueError(f"Blocks are counted in whole numbers, not {count!r}.")
        if count > self.num_free:
            raise OutOfBlocks(
                f"{count} block{'s' * (count != 1)} wanted, {self.num_free} of {self.num_blocks - 1} free: preempt or "
                "finish a request, or make the pool with more blocks."
            )
        return [self._give() for _ in range(count)]

    def _give(self) -> int:
        block, _ = self.free_block_queue.popitem(last=False)
        self.ref_cnt[block] = 1
        self.generation[block] += 1
        if block in self.kept:
            self.forget(block)
        return block

    def touch(self, blocks: Sequence[int]) -> None:
        """Add a reference to blocks whose prefix was found again, free or in use. ValueError for one without a prefix.

        A block that was free leaves the queue: it cannot be given out any more.
        """
        for block in blocks:
            if self.ref_cnt[self._block(block)] == 0 and block not in self.kept:
                raise ValueError(f"Block {block} is free and holds no prefix: allocate it.")
        for block in blocks:
            self.free_block_queue.pop(block, None)
            self.ref_cnt[block] += 1

    def fork(self, blocks: Sequence[int]) -> list[int]:
        """Add a reference to blocks in use, for one more table that names them; return them as a new list."""
        for block in blocks:
            self._used(block)
        for block in blocks:
            self.ref_cnt[block] += 1
        return list(blocks)

    def retake(self, blocks: Sequence[int]) -> None:
        """Add a reference to blocks that were one's own and were given to nobody since, free or in use."""
        for block in blocks:
            self.free_block_queue.pop(self._block(block), None)
            self.ref_cnt[block] += 1

    def writable(self, block: int) -> int:
        """Return the block to write in instead of `block`: itself, or a copy when others use it as well.

        The caller's reference moves to the copy. A prefix kept in a block that nobody else uses is forgotten.
        Raises OutOfBlocks, ValueError for a free block, and what `copy` raises; nothing has changed then.
        """
        if self.ref_cnt[self._used(block)] == 1:
            self.forget(block)
            return block
        (new,) = self.allocate()
        try:
            if self.copy is not None:
                self.copy(block, new)
        except BaseException:
            self.free([new])
            raise
        self.copies += 1
        self.free([block])
        return new

    def free(self, blocks: Sequence[int]) -> None:
        """Drop one reference to each block. What nobody uses any more is free; the last block of a list goes first.

        Raises ValueError for a block that is free, or named more often than it has references.
        """
        for block, times in Counter(blocks).items():
            if self.ref_cnt[self._used(block)] < times:
                raise ValueError(f"Block {block} has {self.ref_cnt[block]} references, not {times}.")
        for block in reversed(blocks):
            self.ref_cnt[block] -= 1
            if not self.ref_cnt[block]:
                self.free_block_queue[block] = None
                if block not in self.kept:
                    self.free_block_queue.move_to_end(block, last=False)

    def keep(self, block: int) -> None:
        """Note that an index finds the block's prefix again. Raises ValueError for a free block."""
        self.kept.add(self._used(block))

    def forget(self, block: int) -> None:
        """Note that nobody will find the block's prefix again, and tell the index; nothing if none was kept."""
        if block in self.kept:
            self.kept.remove(block)
            if self.on_evict is not None:
                self.on_evict(block)

    def check(self, tables: Iterable[BlockTable] = (), rows: Iterable[Sequence[int]] = ()) -> None:
        """Raise BrokenInvariant unless the books agree with each other and with all tables.

        tables: every table there is. rows: their fixed-width forms, in the same order (see BlockTable.row).
        """
        every = list(tables)
        found = [*self._conservation(), *self._two_owners(every)]
        for table, row in zip(every, rows, strict=False):
            found += _tail(table, row)
        if found:
            raise BrokenInvariant(found[0])

    def _conservation(self) -> list[str]:
        """No block is lost or made: each is free or counted, never both."""
        said = []
        if NULL_BLOCK in self.free_block_queue or self.ref_cnt[NULL_BLOCK]:
            said.append("The null block was given out.")
        for block in range(1, self.num_blocks):
            free, count = block in self.free_block_queue, self.ref_cnt[block]
            if free == (count > 0) or count < 0:
                said.append(f"Block {block} is {'free' if free else 'not free'} and has {count} references.")
        return said

    def _two_owners(self, tables: list[BlockTable]) -> list[str]:
        """No block is mapped more or less often than counted, none free and mapped, none twice in one table."""
        named = Counter(block for table in tables for block in table.blocks)
        twice = {block for table in tables for block, times in Counter(table.blocks).items() if times > 1}
        said = [f"A table names block {block} twice." for block in sorted(twice)]
        for block in range(1, self.num_blocks):
            times, count = named[block], self.ref_cnt[block]
            if times and block in self.free_block_queue:
                said.append(f"Block {block} is free and mapped.")
            elif times != count:
                said.append(f"Block {block} is mapped {times} times and has {count} references.")
        said += [f"A table names block {block}." for block in named if not 0 < block < self.num_blocks]
        return said + [f"A table of {len(t.blocks)} blocks claims {t.num_tokens} tokens." for t in tables if t.room < 0]

    def _block(self, block: int) -> int:
        if type(block) is not int or not NULL_BLOCK < block < self.num_blocks:
            raise ValueError(f"There is no block {block!r}: they are numbered 1 to {self.num_blocks - 1}.")
        return block

    def _used(self, block: int) -> int:
        if not self.ref_cnt[self._block(block)]:
            raise ValueError(f"Block {block} is free: allocate it first.")
        return block


def _tail(table: BlockTable, row: Sequence[int]) -> list[str]:
    """A row names the table's blocks and then nothing: whoever reads or writes too far meets the null block."""
    have = len(table.blocks)
    if list(row[:have]) != table.blocks:
        return [f"A row names {list(row[:have])}, and its table {table.blocks}."]
    return [f"The tail of a row names block {block}." for block in row[have:] if block != NULL_BLOCK]


class BlockTable:
    """The blocks of one request, in order: token i lies in blocks[i // block_size], at place i % block_size.

    `num_tokens` are valid; a table may have more blocks than it needs (`reserve`), never fewer.
    """

    def __init__(self, pool: BlockPool) -> None:
        """Start with no block and no token."""
        self.pool = pool
        self.blocks: list[int] = []
        self.num_tokens = 0

    @property
    def room(self) -> int:
        """How many tokens fit in without another block."""
        return len(self.blocks) * self.pool.block_size - self.num_tokens

    def missing(self, count: int) -> int:
        """Return how many free blocks `append(count)` would take: new ones, and copies of shared ones."""
        size = self.pool.block_size
        new = max(0, -((self.room - count) // size))
        return new + sum(self.pool.ref_cnt[block] > 1 for block in self._written(count))

    def append(self, count: int = 1) -> list[int]:
        """Make place for `count` more tokens and return where each lies (see slot_mapping).

        A block is allocated when the last one is full, and copied before it is written when others use it too.
        Raises OutOfBlocks, ValueError for a negative count; nothing has changed then.
        """
        if type(count) is not int or count < 0:
            raise ValueError(f"Tokens are counted in whole numbers, not {count!r}: to go back, use truncate.")
        self._require(self.missing(count))
        for index in self._indices(count):
            self.blocks[index] = self.pool.writable(self.blocks[index])
        self.reserve(count)
        self.num_tokens += count
        return self.slot_mapping(self.num_tokens - count)

    def reserve(self, count: int) -> None:
        """Have blocks for `count` more tokens, without a token in them yet. Raises OutOfBlocks."""
        self.blocks += self.pool.allocate(max(0, -((self.room - count) // self.pool.block_size)))

    def adopt(self, blocks: Sequence[int]) -> None:
        """Begin an empty table with full blocks of a prefix that was found again. ValueError for one that has begun."""
        if self.blocks:
            raise ValueError("Only an empty table can begin with a prefix.")
        self.pool.touch(blocks)
        self.blocks = list(blocks)
        self.num_tokens = len(blocks) * self.pool.block_size

    def fork(self) -> BlockTable:
        """Return a second table of the same tokens: every block with a token in it is shared, none is copied yet."""
        other = BlockTable(self.pool)
        other.blocks = self.pool.fork(self.blocks[: -(-self.num_tokens // self.pool.block_size)])
        other.num_tokens = self.num_tokens
        return other

    def truncate(self, num_tokens: int) -> None:
        """Go back to `num_tokens` tokens; blocks behind them are given back. ValueError for more than there are."""
        if type(num_tokens) is not int or not 0 <= num_tokens <= self.num_tokens:
            raise ValueError(f"The table has {self.num_tokens} tokens, it cannot go back to {num_tokens!r}.")
        keep = -(-num_tokens // self.pool.block_size)
        self.pool.free(self.blocks[keep:])
        self.blocks, self.num_tokens = self.blocks[:keep], num_tokens

    def free(self) -> None:
        """Give all blocks back: the request has ended, or is preempted and will be computed anew."""
        self.truncate(0)

    def slot_mapping(self, start: int = 0, stop: int | None = None) -> list[int]:
        """Return the place of each token from start to stop in the pool: block * block_size + place in the block."""
        size, stop = self.pool.block_size, self.num_tokens if stop is None else stop
        if not 0 <= start <= stop <= self.num_tokens:
            raise ValueError(f"There are tokens 0 to {self.num_tokens}, not {start} to {stop}.")
        return [self.blocks[i // size] * size + i % size for i in range(start, stop)]

    def row(self, width: int) -> list[int]:
        """Return the table in a fixed width, as a kernel wants it: the tail names the null block."""
        if len(self.blocks) > width:
            raise ValueError(f"{len(self.blocks)} blocks do not fit into a row of {width}.")
        return [*self.blocks, *[NULL_BLOCK] * (width - len(self.blocks))]

    def _indices(self, count: int) -> range:
        """Which of its blocks the next `count` tokens fall into."""
        size = self.pool.block_size
        stop = min(len(self.blocks), -(-(self.num_tokens + count) // size))
        return range(self.num_tokens // size, stop if count else 0)

    def _written(self, count: int) -> list[int]:
        return [self.blocks[index] for index in self._indices(count)]

    def _require(self, count: int) -> None:
        if count > self.pool.num_free:
            raise OutOfBlocks(
                f"{count} block{'s' * (count != 1)} wanted, {self.pool.num_free} of {self.pool.num_blocks - 1} free: "
                "preempt or finish a request, or make the pool with more blocks."
            )


class BlockRows:
    """The tables of a running batch, one row each, all of one width: what a kernel is handed at every step.

    Rows lie close together. When one ends, the last row moves into its place.
    """

    def __init__(self, width: int) -> None:
        """Start with no row."""
        self.width = width
        self.rows: list[list[int]] = []

    def add(self, table: BlockTable) -> int:
        """Append a row for a table, and return its number."""
        self.rows.append(table.row(self.width))
        return len(self.rows) - 1

    def refresh(self, row: int, table: BlockTable) -> None:
        """Write a table's blocks into its row anew, after it has grown or copied."""
        self.rows[row] = table.row(self.width)

    def remove(self, row: int) -> None:
        """Take a row out; the last row comes into its place."""
        last = self.rows[-1]
        if row != len(self.rows) - 1:
            self.move(last, self.rows[row])
        self.rows.pop()

    def move(self, source: list[int], target: list[int]) -> None:
        """Write one row over another, all of it: the tail of the old one must go."""
        target[:] = source

    def slot_mapping(self, row: int, start: int, stop: int, block_size: int) -> list[int]:
        """Return the places of positions start to stop, also behind the last token: those fall into the null block."""
        return [self.rows[row][i // block_size] * block_size + i % block_size for i in range(start, stop)]
