"""Wrong answers to exercise 08.4: why each is rejected, whether it passes the lab's example, its story."""

# %% overwrites-another | visible: yes | one's own tail may always be written
def append(pool, table, number):
    blocks, inside = table["blocks"], table["length"] % pool.block_size
    if inside == 0:
        blocks.append(pool.take())
    pool.data[blocks[-1]][inside] = number
    table["length"] += 1

# %% overwrites-another | visible: yes | copies the number of the block, not what is in it, and then writes into the old one
def append(pool, table, number):
    blocks, inside = table["blocks"], table["length"] % pool.block_size
    if inside == 0:
        blocks.append(pool.take())
    elif pool.ref_cnt[blocks[-1]] > 1:
        new = pool.take()
        pool.data[new] = pool.data[blocks[-1]]
        pool.drop(blocks[-1])
        blocks[-1] = new
    pool.data[blocks[-1]][inside] = number
    table["length"] += 1

# %% loses-its-past | visible: no | takes a new block and copies nothing
def append(pool, table, number):
    blocks, inside = table["blocks"], table["length"] % pool.block_size
    if inside == 0:
        blocks.append(pool.take())
    elif pool.ref_cnt[blocks[-1]] > 1:
        new = pool.take()
        pool.drop(blocks[-1])
        blocks[-1] = new
    pool.data[blocks[-1]][inside] = number
    table["length"] += 1

# %% miscounts | visible: no | the old block keeps the reference
def append(pool, table, number):
    blocks, inside = table["blocks"], table["length"] % pool.block_size
    if inside == 0:
        blocks.append(pool.take())
    elif pool.ref_cnt[blocks[-1]] > 1:
        new = pool.take()
        pool.data[new][:] = pool.data[blocks[-1]]
        blocks[-1] = new
    pool.data[blocks[-1]][inside] = number
    table["length"] += 1

# %% copies-too-much | visible: yes | copies the last block at every step, to be safe
def append(pool, table, number):
    blocks, inside = table["blocks"], table["length"] % pool.block_size
    if inside == 0:
        blocks.append(pool.take())
    else:
        new = pool.take()
        pool.data[new][:] = pool.data[blocks[-1]]
        pool.drop(blocks[-1])
        blocks[-1] = new
    pool.data[blocks[-1]][inside] = number
    table["length"] += 1

# %% changed-by-a-failure | visible: yes | drops first, then takes
def append(pool, table, number):
    blocks, inside = table["blocks"], table["length"] % pool.block_size
    if inside == 0:
        blocks.append(pool.take())
    elif pool.ref_cnt[blocks[-1]] > 1:
        old = list(pool.data[blocks[-1]])
        pool.drop(blocks[-1])
        new = pool.take()
        pool.data[new][:] = old
        blocks[-1] = new
    pool.data[blocks[-1]][inside] = number
    table["length"] += 1

# %% changed-by-a-failure | visible: yes | counts the token before there is a place for it
def append(pool, table, number):
    blocks, inside = table["blocks"], table["length"] % pool.block_size
    table["length"] += 1
    if inside == 0:
        blocks.append(pool.take())
    elif pool.ref_cnt[blocks[-1]] > 1:
        new = pool.take()
        pool.data[new][:] = pool.data[blocks[-1]]
        pool.drop(blocks[-1])
        blocks[-1] = new
    pool.data[blocks[-1]][inside] = number

# %% copies-too-much | visible: yes | a full shared block is copied as well
def append(pool, table, number):
    blocks, inside = table["blocks"], table["length"] % pool.block_size
    if inside == 0 and blocks and pool.ref_cnt[blocks[-1]] > 1:
        new = pool.take()
        pool.data[new][:] = pool.data[blocks[-1]]
        pool.drop(blocks[-1])
        blocks[-1] = new
    if inside == 0:
        blocks.append(pool.take())
    elif pool.ref_cnt[blocks[-1]] > 1:
        new = pool.take()
        pool.data[new][:] = pool.data[blocks[-1]]
        pool.drop(blocks[-1])
        blocks[-1] = new
    pool.data[blocks[-1]][inside] = number
    table["length"] += 1

# %% writes-to-null | visible: no | notes the number in block 0 first
def append(pool, table, number):
    blocks, inside = (table['blocks'], table['length'] % pool.block_size)
    pool.data[0][inside] = number
    if inside == 0:
        blocks.append(pool.take())
    elif pool.ref_cnt[blocks[-1]] > 1:
        new = pool.take()
        pool.data[new][:] = pool.data[blocks[-1]]
        pool.drop(blocks[-1])
        blocks[-1] = new
    pool.data[blocks[-1]][inside] = number
    table['length'] += 1

# %% lost-number | visible: yes | a zero need not be written
def append(pool, table, number):
    blocks, inside = (table['blocks'], table['length'] % pool.block_size)
    if inside == 0:
        blocks.append(pool.take())
    elif pool.ref_cnt[blocks[-1]] > 1:
        new = pool.take()
        pool.data[new][:] = pool.data[blocks[-1]]
        pool.drop(blocks[-1])
        blocks[-1] = new
    if number:
        pool.data[blocks[-1]][inside] = number
    table['length'] += 1
