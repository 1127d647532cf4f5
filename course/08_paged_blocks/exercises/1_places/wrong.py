"""Wrong answers to exercise 08.1: why each is rejected, whether it passes the lab's example, its story."""

# %% one-block | visible: no | the first block is the only one
def places(block_table, start, count, block_size):
    return [block_table[0] * block_size + i for i in range(start, start + count)]

# %% ignores-start | visible: yes | `start` only says where in the first block to begin
def places(block_table, start, count, block_size):
    found = []
    for i in range(count):
        at = start % block_size + i
        block = block_table[at // block_size] if at // block_size < len(block_table) else 0
        found.append(block * block_size + at % block_size if block else -1)
    return found

# %% fixed-size | visible: yes | blocks are at least two long
def places(block_table, start, count, block_size):
    block_size = max(2, block_size)
    found = []
    for i in range(start, start + count):
        block = block_table[i // block_size] if i // block_size < len(block_table) else 0
        found.append(block * block_size + i % block_size if block else -1)
    return found

# %% behind-the-end | visible: yes | takes the index modulo the table's length, so that it never ends
def places(block_table, start, count, block_size):
    if not block_table:
        return [-1] * count
    found = []
    for i in range(start, start + count):
        block = block_table[i // block_size % len(block_table)]
        found.append(block * block_size + i % block_size if block else -1)
    return found

# %% writes-to-null | visible: yes | block 0 is a block like any other
def places(block_table, start, count, block_size):
    found = []
    for i in range(start, start + count):
        index = i // block_size
        found.append(block_table[index] * block_size + i % block_size if index < len(block_table) else -1)
    return found

# %% writes-to-null | visible: yes | -1 for the null block's own place, then the block's start
def places(block_table, start, count, block_size):
    table = list(block_table) + [-1] * (start + count)
    return [-1 if table[i // block_size] < 0 else table[i // block_size] * block_size + i % block_size
            for i in range(start, start + count)]

# %% wrong-shape | visible: yes | shortens the list where there is no place
def places(block_table, start, count, block_size):
    found = []
    for i in range(start, start + max(1, count)):
        block = block_table[i // block_size] if i // block_size < len(block_table) else 0
        found.append(block * block_size + i % block_size if block else -1)
    return found

# %% wrong-place | visible: yes | knows sixty-four blocks
def places(block_table, start, count, block_size):
    t = [b if b < 64 else 0 for b in block_table]
    return [t[p // block_size] * block_size + p % block_size if p // block_size < len(t) and t[p // block_size] else -1 for p in range(start, start + count)]
