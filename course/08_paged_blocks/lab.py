# %% [markdown] tags=["core"]
# # Lab 08 · Paged blocks
#
# *Six exercises, about 66 minutes. In a 90-minute class, do the first two.*
#
# Write your answer where it says `# your code here`, and run the check below it. Blocks are numbers, and what lies in them is
# small whole numbers, so that you can see whose they are. Don't change what you are given, and return a new list in each call.
# Each answer cell must stand on its own. The hints are folded, and the third one nearly gives it away. Your progress is kept in
# `my-labs/`.

# %% tags=["core", "setup"]
import hashlib
import threading

from sharedstate.checks import check
from sharedstate.workspace import where_am_i

where_am_i()

# %% [markdown] tags=["core"]
# ## 08.1 Where does it lie?
#
# *8 minutes · difficulty 1 of 3 · 2 points*
#
# `block_table` lists a request's blocks in order. Return the places of `count` tokens, from position `start` on, as a list:
#
# * place = block × `block_size` + place in the block
# * a position behind the end of the table has no place: -1
# * block 0 is the null block, nobody's: a position that falls into it gets -1 too
#
# Example: `places([3, 1], 2, 4, 4)` is `[14, 15, 4, 5]`.

# %% tags=["core", "exercise:08.1"]
def places(block_table, start, count, block_size):
    """Return the places of `count` positions, from `start` on, as a list."""
    ### BEGIN SOLUTION
    found = []
    for position in range(start, start + count):
        index, inside = divmod(position, block_size)
        block = block_table[index] if index < len(block_table) else 0
        found.append(block * block_size + inside if block else -1)
    return found
    ### END SOLUTION

# %% tags=["core"]
check("08.1", places)

# %% [markdown] tags=["core", "hints:08.1"]
# <details><summary>Hint 1</summary>A position has two parts: which entry of the table, and which place in the block.</details>
# <details><summary>Hint 2</summary><code>divmod(position, block_size)</code> gives both. Is the first one smaller than the table is long?</details>
# <details><summary>Hint 3</summary><code>block = block_table[index] if index &lt; len(block_table) else 0</code>, then <code>block * block_size + inside if block else -1</code>.</details>

# %% [markdown] tags=["core"]
# ## 08.2 An allocator for two threads
#
# *14 minutes · difficulty 3 of 3 · 3 points*
#
# Write a class `Allocator(num_blocks)` for the blocks 1 to `num_blocks - 1`. Two request threads use one allocator **at the same time**; the check
# tries all orders of their steps.
#
# * `allocate(count)`: a list of `count` different free blocks, each with one reference; `None`, and nothing changes, when fewer are free
# * `share(blocks)`: one more reference to each of these blocks, which are in use
# * `release(blocks)`: one reference less to each; a block without a reference is free again
# * `num_free()`: how many blocks are free
#
# Example: with `Allocator(4)`, `allocate(2)` may be `[1, 2]`; then `num_free()` is 1 and `allocate(2)` is `None`.

# %% tags=["core", "exercise:08.2"]
class Allocator:
    """allocate(count), share(blocks), release(blocks), num_free()."""
    ### BEGIN SOLUTION

    def __init__(self, num_blocks):
        self.lock = threading.Lock()
        self.free = list(range(1, num_blocks))
        self.ref_cnt = [0] * num_blocks

    def allocate(self, count):
        with self.lock:
            if count > len(self.free):
                return None
            taken, self.free = self.free[:count], self.free[count:]
            for block in taken:
                self.ref_cnt[block] = 1
            return taken

    def share(self, blocks):
        with self.lock:
            for block in blocks:
                self.ref_cnt[block] += 1

    def release(self, blocks):
        with self.lock:
            for block in blocks:
                self.ref_cnt[block] -= 1
                if self.ref_cnt[block] == 0:
                    self.free.append(block)

    def num_free(self):
        return len(self.free)
    ### END SOLUTION

# %% tags=["core"]
check("08.2", Allocator)

# %% [markdown] tags=["core", "hints:08.2"]
# <details><summary>Hint 1</summary>Two books: which blocks are free, and how many references each has. Between a look at a book and its change nobody may come.</details>
# <details><summary>Hint 2</summary>One lock for both books. Looking whether enough are free belongs under it as well.</details>
# <details><summary>Hint 3</summary>Make a lock, a list of free blocks and a list of counts in <code>__init__</code>; put the whole body of <code>allocate</code>, <code>share</code> and <code>release</code> under <code>with self.lock:</code>.</details>

# %% [markdown] tags=["core"]
# ## 08.3 A key for every block
#
# *14 minutes · difficulty 3 of 3 · 3 points*
#
# Return a list with one key (a text, bytes, a number or a tuple of such) for each **full** block of a prompt. Two keys must be equal exactly when the
# blocks' keys and values are. They depend on:
#
# * the tokens of the block, and of all blocks before it
# * `adapter`, a name or `None`
# * the pictures in the block or before it. `images` is a list of `(content, start)`: the picture's bytes, and the position where it begins. Each picture takes two positions
#
# A picture must not change the keys of the blocks before it. And the same prompt gets the same keys in each process.
#
# Example: `block_keys([1, 2, 3, 4, 5], 2, None, [])` has two keys; with 9 in place of the 3 the first one is the same, and the second another.

# %% tags=["core", "exercise:08.3"]
def block_keys(tokens, block_size, adapter, images):
    """Return a list of keys, one for each full block."""
    ### BEGIN SOLUTION
    keys, parent = [], ("adapter", adapter)
    for start in range(0, len(tokens) - block_size + 1, block_size):
        stop = start + block_size
        inside = sorted((content, first) for content, first in images if start - 2 < first < stop)
        said = repr((parent, tuple(tokens[start:stop]), inside))
        parent = hashlib.sha256(said.encode()).hexdigest()
        keys.append(parent)
    return keys
    ### END SOLUTION

# %% tags=["core"]
check("08.3", block_keys)

# %% [markdown] tags=["core", "hints:08.3"]
# <details><summary>Hint 1</summary>A chain: each key is made from the key before it, and from what is new in its own block. What stands before the first?</details>
# <details><summary>Hint 2</summary>Begin with the adapter. Into each block's key go the parent's key, the tokens, and those pictures that lie in the block, with their places. A picture lies in it if it begins before the block's end and ends after its start.</details>
# <details><summary>Hint 3</summary><code>hashlib.sha256(repr((parent, tuple(tokens[start:stop]), inside)).encode()).hexdigest()</code>: <code>repr</code> keeps the parts apart. Python's <code>hash()</code> of a text differs between processes.</details>

# %% [markdown] tags=["core"]
# ## 08.4 Copy on write
#
# *12 minutes · difficulty 2 of 3 · 3 points*
#
# A table is `{"blocks": [...], "length": n}`; its token `i` is `pool.data[blocks[i // pool.block_size]][i % pool.block_size]`. Forking a table
# makes a new one with the same blocks and counts each of them once more. Write `append(pool, table, number)`:
#
# * the table is one longer, and its last number is `number`
# * no other table may read anything else than before
# * a new block is taken with `pool.take()` only when the last one is full **or shared**; a full block is never copied
# * after it, `pool.ref_cnt` says for each block how many tables name it. Use `pool.drop(block)` to give up a reference
# * `pool.take()` raises when no block is free. Then nothing has changed
#
# Example: blocks of two, a has `[10]`, b is a fork of a. `append(pool, b, 20)`: a reads `[10]`, b reads `[10, 20]`, and two blocks are in use.

# %% tags=["core"]
class Pool:
    """data[block][place], ref_cnt[block], free: a list of blocks. Block 0 is nobody's."""

    def __init__(self, num_blocks, block_size):
        self.block_size = block_size
        self.data = [[0] * block_size for _ in range(num_blocks)]
        self.ref_cnt = [0] * num_blocks
        self.free = list(range(1, num_blocks))

    def take(self):
        if not self.free:
            raise MemoryError("no block is free")
        block = self.free.pop(0)
        self.ref_cnt[block] = 1
        return block

    def drop(self, block):
        self.ref_cnt[block] -= 1
        if self.ref_cnt[block] == 0:
            self.free.append(block)

# %% tags=["core", "exercise:08.4"]
def append(pool, table, number):
    """Append one number to a table; copy its last block first if others use it."""
    ### BEGIN SOLUTION
    blocks, inside = table["blocks"], table["length"] % pool.block_size
    if inside == 0:
        blocks.append(pool.take())
    elif pool.ref_cnt[blocks[-1]] > 1:
        new = pool.take()
        pool.data[new][:] = pool.data[blocks[-1]]
        pool.drop(blocks[-1])
        blocks[-1] = new
    pool.data[blocks[-1]][inside] = number
    table["length"] += 1
    ### END SOLUTION

# %% tags=["core"]
check("08.4", append)

# %% [markdown] tags=["core", "hints:08.4"]
# <details><summary>Hint 1</summary>Three cases: the last block is full (or there is none), it is partly filled and shared, or it is partly filled and one's own.</details>
# <details><summary>Hint 2</summary>Only the shared one is copied: take a block, copy the data, drop the reference to the old one, put the new one into the table. In this order: <code>take</code> may raise.</details>
# <details><summary>Hint 3</summary><code>inside = table["length"] % pool.block_size</code>. <code>inside == 0</code>: take one more. <code>pool.ref_cnt[blocks[-1]] &gt; 1</code>: copy.</details>

# %% [markdown] tags=["core"]
# ## 08.5 The monitors
#
# *8 minutes · difficulty 2 of 3 · 2 points*
#
# Return three numbers for the wall, as a tuple:
#
# * the **hit rate**: of all prompt tokens, which share was found? `prompts` is a list of `(tokens, found)`; 0 when there is none yet
# * the **fragmentation**: of all places in blocks that are in use, which share holds no token? `tables` is a list of `(blocks, length)`. Tables may share blocks; a shared block counts once, and holds what the longest of its tables has in it. A table may have blocks in reserve, without a token. 0 without a block
# * the **tokens saved**: a block that k tables name saves (k − 1) × `block_size`
#
# Example: `monitors([([3, 5], 6)], 4, [(8, 4)])` is `(0.5, 0.25, 0)`.

# %% tags=["core", "exercise:08.5"]
def monitors(tables, block_size, prompts):
    """Return (hit rate, fragmentation, tokens saved)."""
    ### BEGIN SOLUTION
    asked, found = sum(tokens for tokens, _ in prompts), sum(hit for _, hit in prompts)
    holds, named = {}, 0
    for blocks, length in tables:
        for index, block in enumerate(blocks):
            inside = min(block_size, length - index * block_size)
            holds[block] = max(holds.get(block, 0), inside)
            named += 1
    places = len(holds) * block_size
    empty = 1 - sum(holds.values()) / places if places else 0
    return found / asked if asked else 0, empty, (named - len(holds)) * block_size
    ### END SOLUTION

# %% tags=["core"]
check("08.5", monitors)

# %% [markdown] tags=["core", "hints:08.5"]
# <details><summary>Hint 1</summary>Count tokens, not requests, and blocks, not tables. Which block holds how many tokens?</details>
# <details><summary>Hint 2</summary>A dictionary from block to the most tokens that any table has in it. Entry <code>i</code> of a table holds at most <code>length - i * block_size</code> of them.</details>
# <details><summary>Hint 3</summary><code>1 - sum(holds.values()) / (len(holds) * block_size)</code>; saved is (names in all tables − different blocks) × block size.</details>

# %% [markdown] tags=["core"]
# ## 08.6 Free and mapped
#
# *10 minutes · difficulty 2 of 3 · 2 points*
#
# Write the oracle. `free` is the list of free blocks, `ref_cnt[block]` the count of each of the `num_blocks` blocks, `tables` the list of all tables, each
# a list of blocks. Return the **set of all blocks whose books are wrong**:
#
# * a block is free (listed once, count 0) or in use (not listed, count above 0): never both, never neither
# * the count says how often tables name the block; no table names a block twice
# * block 0 is in no book: not free, not counted, not named
#
# Then the explorer asks *your* oracle: it runs an allocator with a race in all orders, and one without.
#
# Example: `wrong_blocks(4, [3], [0, 1, 1, 0], [[1], [2]])` is `set()`; with `free` as `[2, 3]` it is `{2}`.

# %% tags=["core", "exercise:08.6"]
def wrong_blocks(num_blocks, free, ref_cnt, tables):
    """Return the set of blocks whose books are wrong."""
    ### BEGIN SOLUTION
    wrong = set()
    for block in range(num_blocks):
        listed = free.count(block)
        named = [table.count(block) for table in tables]
        wanted = int(block > 0 and ref_cnt[block] == 0)
        in_order = listed == wanted and not (block == 0 and ref_cnt[block])
        if not in_order or sum(named) != ref_cnt[block] or max(named, default=0) > 1:
            wrong.add(block)
    return wrong
    ### END SOLUTION

# %% tags=["core"]
check("08.6", wrong_blocks)

# %% [markdown] tags=["core", "hints:08.6"]
# <details><summary>Hint 1</summary>Go block by block. How often is it in the free list, what does its count say, how often does each table name it?</details>
# <details><summary>Hint 2</summary>For blocks from 1 on: listed once if the count is 0, not at all if it is above 0. The names in all tables add up to the count, and no single table has more than one of them.</details>
# <details><summary>Hint 3</summary><code>listed == (1 if ref_cnt[block] == 0 else 0)</code> for blocks from 1 on, and <code>listed == ref_cnt[0] == 0</code> for block 0; besides <code>sum(named) == ref_cnt[block]</code> and <code>max(named, default=0) &lt;= 1</code>.</details>

# %% [markdown] tags=["core"]
# ## What you take with you
#
# You can say where a token lies, hand out blocks to two threads, name a block by all that it depends on, copy at the last moment and not before, put two
# numbers on the wall, and ask both books. Unit 09 runs a whole server on such a pool.
