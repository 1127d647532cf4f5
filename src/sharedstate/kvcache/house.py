"""Small numbers in blocks, so that a leak can be seen by eye: a pool, its memory, and tables by name."""

from __future__ import annotations

from sharedstate.kvcache.blocks import BlockPool, BlockRows, BlockTable
from sharedstate.kvcache.prefix import PrefixIndex


class House:
    """A pool of blocks with whole numbers in their places. copies=False: a shared block is written in place (a bug)."""

    def __init__(self, num_blocks: int = 8, block_size: int = 4, copies: bool = True) -> None:
        """Begin empty."""
        self.pool = BlockPool(num_blocks, block_size, self._copy)
        if not copies:
            self.pool.writable = lambda block: block  # type: ignore[method-assign]
        self.tables: dict[str, BlockTable] = {}
        self.numbers: dict[int, int] = {}

    def _copy(self, source: int, target: int) -> None:
        size = self.pool.block_size
        for place in range(size):
            if source * size + place in self.numbers:
                self.numbers[target * size + place] = self.numbers[source * size + place]

    def write(self, name: str, *numbers: int) -> None:
        """Append numbers to a guest's table; a new name gets an empty one."""
        table = self.tables.setdefault(name, BlockTable(self.pool))
        self.numbers.update(zip(table.append(len(numbers)), numbers, strict=True))

    def read(self, name: str) -> list[int]:
        """Return what a guest reads, in order."""
        return [self.numbers[place] for place in self.tables[name].slot_mapping()]

    def fork(self, name: str, child: str) -> None:
        """Let a new guest begin with all that another has written: the same blocks."""
        self.tables[child] = self.tables[name].fork()

    def at(self, block: int, place: int) -> object:
        """Return the number at a place ("" where nothing was ever written)."""
        return self.numbers.get(block * self.pool.block_size + place, "")


def moved_row(kind: type[BlockRows]) -> tuple[list[int], set[int], set[int]]:
    """Let Ann's row end, so that Bob's shorter one moves into its place, and Eve get Ann's blocks.

    Return Bob's row, Eve's blocks, and the blocks that a padded write goes into, four places behind his table's end.
    """
    pool, rows = BlockPool(12, 4), kind(4)
    ann, bob, eve = (BlockTable(pool) for _ in range(3))
    for table, tokens in ((ann, 16), (bob, 7)):
        table.append(tokens)
        rows.add(table)
    ann.free()
    rows.remove(0)
    eve.append(28)
    return rows.rows[0], set(eve.blocks), {place // 4 for place in rows.slot_mapping(0, 8, 12, 4)}


def preempted(tokens: int = 10) -> PrefixIndex:
    """Return an index of blocks of 4, in which a request of so many tokens (0, 1, 2, …) has been and is preempted."""
    index = PrefixIndex(BlockPool(8, 4))
    table = BlockTable(index.pool)
    table.append(tokens)
    index.publish(table, index.chain(range(tokens)), tokens)
    table.free()
    return index
