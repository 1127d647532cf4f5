"""Blocks: exact ids, order of eviction, copy-on-write, and an invariant check that sees each contradiction."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sharedstate.kvcache import BlockPool, BlockRows, BlockTable, BrokenInvariant, CacheFull, OutOfBlocks


@pytest.fixture
def pool() -> BlockPool:
    """Blocks 1 to 7, of four tokens."""
    return BlockPool(8, 4)


def table_of(pool: BlockPool, tokens: int) -> BlockTable:
    table = BlockTable(pool)
    table.append(tokens)
    return table


def test_blocks_come_in_order_and_the_null_block_never(pool: BlockPool) -> None:
    assert pool.allocate(7) == [1, 2, 3, 4, 5, 6, 7]
    assert pool.num_free == 0 and pool.usage == 1
    with pytest.raises(OutOfBlocks, match="1 block wanted, 0 of 7 free"):
        pool.allocate()
    assert issubclass(OutOfBlocks, CacheFull)


def test_what_is_freed_comes_back_the_last_block_first_and_kept_prefixes_at_the_very_end(pool: BlockPool) -> None:
    blocks = pool.allocate(4)  # 1, 2, 3, 4
    pool.keep(1), pool.keep(2)
    pool.free(blocks)
    assert list(pool.free_block_queue) == [3, 4, 5, 6, 7, 2, 1]  # 2 is evicted before 1, which leads to it


def test_an_evicted_prefix_is_reported_and_one_that_is_touched_is_not_given_out(pool: BlockPool) -> None:
    gone: list[int] = []
    pool.on_evict = gone.append
    one, two = pool.allocate(2)
    pool.keep(one), pool.keep(two)
    pool.free([one, two])
    pool.touch([one])
    assert pool.allocate(6) == [3, 4, 5, 6, 7, two] and gone == [two]
    assert pool.ref_cnt[one] == 1 and pool.num_free == 0


def test_a_shared_block_is_copied_before_it_is_written_and_one_of_ones_own_is_not() -> None:
    copied: list[tuple[int, int]] = []
    pool = BlockPool(4, 4, copy=lambda source, target: copied.append((source, target)))
    (block,) = pool.allocate()
    assert pool.writable(block) == block and not copied
    pool.fork([block])
    assert pool.writable(block) == 2 and copied == [(1, 2)] and pool.copies == 1
    assert pool.ref_cnt == [0, 1, 1, 0] and pool.writable(block) == block


def test_a_copy_that_fails_leaves_everything_as_it_was() -> None:
    def fail(source: int, target: int) -> None:
        raise MemoryError

    pool = BlockPool(4, 4, copy=fail)
    table = table_of(pool, 2)
    other = table.fork()
    with pytest.raises(MemoryError):
        other.append()
    pool.check([table, other])
    assert (other.num_tokens, other.blocks, pool.num_free) == (2, table.blocks, 2)


def test_a_prefix_in_a_block_that_is_written_again_is_forgotten(pool: BlockPool) -> None:
    gone: list[int] = []
    pool.on_evict = gone.append
    table = table_of(pool, 4)
    pool.keep(table.blocks[0])
    table.truncate(3)
    table.append()
    assert gone == [1] and not pool.kept


def test_tokens_lie_block_by_block_and_a_block_comes_when_the_last_is_full(pool: BlockPool) -> None:
    table = BlockTable(pool)
    assert table.append(3) == [4, 5, 6] and table.room == 1
    assert table.append(3) == [7, 8, 9] and table.blocks == [1, 2]
    assert table.slot_mapping(2, 5) == [6, 7, 8] and table.row(4) == [1, 2, 0, 0]
    with pytest.raises(ValueError, match="do not fit into a row of 1"):
        table.row(1)


def test_a_fork_shares_and_copies_the_partly_filled_block_only(pool: BlockPool) -> None:
    table = table_of(pool, 6)
    other = table.fork()
    assert other.blocks == [1, 2] and pool.num_free == 5
    assert other.append() == [3 * 4 + 2] and other.blocks == [1, 3]
    assert table.append() == [2 * 4 + 2] and table.blocks == [1, 2]  # the last one needs no copy
    pool.check([table, other])


def test_a_fork_of_whole_blocks_copies_nothing(pool: BlockPool) -> None:
    table = table_of(pool, 8)
    other = table.fork()
    other.append(), table.append()
    assert pool.copies == 0 and (table.blocks, other.blocks) == ([1, 2, 4], [1, 2, 3])


def test_blocks_that_are_reserved_are_not_shared_by_a_fork(pool: BlockPool) -> None:
    table = table_of(pool, 3)
    table.reserve(6)
    assert table.blocks == [1, 2, 3] and table.fork().blocks == [1]
    assert table.missing(6) == 1  # the copy of block 1; blocks 2 and 3 are there


def test_what_does_not_fit_changes_nothing(pool: BlockPool) -> None:
    table = table_of(pool, 26)
    other = table.fork()
    before = (list(table.blocks), table.num_tokens, pool.num_free, list(pool.ref_cnt))
    with pytest.raises(OutOfBlocks):
        other.append()  # would need a copy
    with pytest.raises(OutOfBlocks):
        table.append(3)
    assert before == (table.blocks, table.num_tokens, pool.num_free, pool.ref_cnt)
    pool.check([table, other])


def test_back_and_free(pool: BlockPool) -> None:
    table = table_of(pool, 9)
    table.truncate(4)
    assert (table.blocks, table.num_tokens, pool.num_free) == ([1], 4, 6)
    table.free()
    assert (table.blocks, table.num_tokens, pool.num_free) == ([], 0, 7)
    pool.check([table])


def test_an_empty_table_begins_with_a_prefix_and_no_other_does(pool: BlockPool) -> None:
    first = table_of(pool, 8)
    for block in first.blocks:
        pool.keep(block)
    second = BlockTable(pool)
    second.adopt(first.blocks)
    first.free()
    assert (second.blocks, second.num_tokens) == ([1, 2], 8) and pool.num_free == 5
    with pytest.raises(ValueError, match="Only an empty table"):
        second.adopt([1])
    pool.check([first, second])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda pool: BlockPool(1), "2 or more, not 1"), (lambda pool: BlockPool(4, 0), "block_size"),
        (lambda pool: BlockPool(4, True), "block_size"), (lambda pool: pool.allocate(-1), "whole numbers, not -1"),
        (lambda pool: pool.free([3]), "Block 3 is free"), (lambda pool: pool.free([1, 1]), "1 references, not 2"),
        (lambda pool: pool.free([0]), "no block 0"), (lambda pool: pool.fork([5]), "Block 5 is free"),
        (lambda pool: pool.touch([5]), "holds no prefix"), (lambda pool: pool.writable(8), "no block 8"),
        (lambda pool: pool.keep(2), "Block 2 is free"), (lambda pool: table_of(pool, 2).append(-1), "use truncate"),
        (lambda pool: table_of(pool, 2).truncate(3), "has 2 tokens"),
        (lambda pool: table_of(pool, 2).slot_mapping(0, 3), "tokens 0 to 2, not 0 to 3"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_refused_in_words(pool: BlockPool, call: Callable[[BlockPool], object], said: str) -> None:
    pool.allocate()  # block 1
    with pytest.raises(ValueError, match=said):
        call(pool)


def test_rows_close_up_and_their_tails_are_null(pool: BlockPool) -> None:
    rows, tables = BlockRows(4), [table_of(pool, 13), table_of(pool, 4), table_of(pool, 5)]
    for table in tables:
        rows.add(table)
    tables[0].free()
    rows.remove(0)
    assert rows.rows == [[6, 7, 0, 0], [5, 0, 0, 0]]
    pool.check([tables[2], tables[1]], rows.rows)
    assert rows.slot_mapping(0, 4, 10, 4) == [28, 29, 30, 31, 0, 1]  # behind its own: the null block
    tables[1].append()
    rows.refresh(1, tables[1])
    assert rows.rows[1][:2] == tables[1].blocks


def lose(pool: BlockPool, table: BlockTable) -> None:
    pool.free_block_queue.popitem()


def count_one_more(pool: BlockPool, table: BlockTable) -> None:
    pool.ref_cnt[table.blocks[0]] += 1


def free_and_mapped(pool: BlockPool, table: BlockTable) -> None:
    pool.free([table.blocks[0]])


def twice(pool: BlockPool, table: BlockTable) -> None:
    table.blocks[1] = table.blocks[0]


def null_in_use(pool: BlockPool, table: BlockTable) -> None:
    pool.ref_cnt[0] = 1


def not_there(pool: BlockPool, table: BlockTable) -> None:
    table.blocks.append(0)


def too_many_tokens(pool: BlockPool, table: BlockTable) -> None:
    table.num_tokens = 99


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lose, "not free and has 0 references"), (count_one_more, "mapped 1 times and has 2 references"),
        (free_and_mapped, "free and mapped"), (twice, "names block 1 twice"), (null_in_use, "null block was given out"),
        (not_there, "names block 0"), (too_many_tokens, "claims 99 tokens"),
    ],
)  # fmt: skip
def test_the_check_names_each_contradiction(
    pool: BlockPool, damage: Callable[[BlockPool, BlockTable], None], said: str
) -> None:
    table = table_of(pool, 8)
    pool.check([table])
    damage(pool, table)
    with pytest.raises(BrokenInvariant, match=said):
        pool.check([table])


def test_the_check_looks_at_tails_and_at_rows_that_are_behind(pool: BlockPool) -> None:
    table = table_of(pool, 4)
    pool.check([table], [[1, 0, 0]])
    with pytest.raises(BrokenInvariant, match="tail of a row names block 2"):
        pool.check([table], [[1, 2, 0]])
    with pytest.raises(BrokenInvariant, match=r"A row names \[3\], and its table \[1\]"):
        pool.check([table], [[3, 0, 0]])
