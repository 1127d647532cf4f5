"""Right answers to exercise 08.4, each by another mechanism."""

# %% finds the block first, then writes once
def append(pool, table, number):
    index, inside = divmod(table["length"], pool.block_size)
    old = table["blocks"][index] if index < len(table["blocks"]) else None
    block = old
    if old is None or pool.ref_cnt[old] > 1:
        block = pool.take()
        if old is not None:
            pool.data[block] = list(pool.data[old])
            pool.drop(old)
        table["blocks"][index:] = [block]
    pool.data[block][inside] = number
    table["length"] = table["length"] + 1

# %% copies number by number, only as far as it is valid
def append(pool, table, number):
    blocks, length = table["blocks"], table["length"]
    full = length == len(blocks) * pool.block_size
    if full or pool.ref_cnt[blocks[-1]] != 1:
        fresh = pool.take()
        if not full:
            shared = blocks.pop()
            for place in range(length % pool.block_size):
                pool.data[fresh][place] = pool.data[shared][place]
            pool.drop(shared)
        blocks.append(fresh)
    pool.data[blocks[-1]][length % pool.block_size] = number
    table["length"] += 1
