"""Wrong answers to exercise 08.6: why each is rejected, whether it passes the lab's example, its story."""

# %% misses-a-leak | visible: yes | counts the blocks: as many are free and used as there are
def wrong_blocks(num_blocks, free, ref_cnt, tables):
    used = {block for table in tables for block in table}
    return set() if len(free) + len(used) == num_blocks - 1 else used & set(free)

# %% misses-a-leak | visible: yes | free and mapped is the only mistake
def wrong_blocks(num_blocks, free, ref_cnt, tables):
    return {block for table in tables for block in table} & set(free)

# %% misses-a-leak | visible: yes | never looks at what nobody has
def wrong_blocks(num_blocks, free, ref_cnt, tables):
    wrong = set()
    for block in range(num_blocks):
        listed = free.count(block)
        named = [table.count(block) for table in tables]
        in_order = listed + ref_cnt[block] == 0 if block == 0 else (listed == 0 or ref_cnt[block] == 0)
        if not in_order or sum(named) != ref_cnt[block] or max(named, default=0) > 1:
            wrong.add(block)
    return wrong

# %% misses-two-owners | visible: yes | a table may name what is counted at all
def wrong_blocks(num_blocks, free, ref_cnt, tables):
    wrong = set()
    for block in range(num_blocks):
        listed = free.count(block)
        named = [table.count(block) for table in tables]
        in_order = listed + ref_cnt[block] == 0 if block == 0 else listed == (1 if ref_cnt[block] == 0 else 0)
        if not in_order or (sum(named) > 0) != (ref_cnt[block] > 0) or max(named, default=0) > 1:
            wrong.add(block)
    return wrong

# %% listed-twice | visible: yes | is it in the free list, yes or no
def wrong_blocks(num_blocks, free, ref_cnt, tables):
    wrong = set()
    for block in range(num_blocks):
        listed = int(block in free)
        named = [table.count(block) for table in tables]
        in_order = listed + ref_cnt[block] == 0 if block == 0 else listed == (1 if ref_cnt[block] == 0 else 0)
        if not in_order or sum(named) != ref_cnt[block] or max(named, default=0) > 1:
            wrong.add(block)
    return wrong

# %% named-twice | visible: yes | the sum is right, so all is right
def wrong_blocks(num_blocks, free, ref_cnt, tables):
    wrong = set()
    for block in range(num_blocks):
        listed = free.count(block)
        named = [table.count(block) for table in tables]
        in_order = listed + ref_cnt[block] == 0 if block == 0 else listed == (1 if ref_cnt[block] == 0 else 0)
        if not in_order or sum(named) != ref_cnt[block]:
            wrong.add(block)
    return wrong

# %% forgets-the-null-block | visible: yes | block 0 is left out
def wrong_blocks(num_blocks, free, ref_cnt, tables):
    wrong = set()
    for block in range(1, num_blocks):
        listed = free.count(block)
        named = [table.count(block) for table in tables]
        in_order = listed + ref_cnt[block] == 0 if block == 0 else listed == (1 if ref_cnt[block] == 0 else 0)
        if not in_order or sum(named) != ref_cnt[block] or max(named, default=0) > 1:
            wrong.add(block)
    return wrong

# %% wrong-shape | visible: no | True or False
def wrong_blocks(num_blocks, free, ref_cnt, tables):
    return any(block in free for table in tables for block in table)

# %% negative-count | visible: yes | takes a count below zero for zero
def wrong_blocks(num_blocks, free, ref_cnt, tables):
    wrong = set()
    for b in range(num_blocks):
        listed, named = (free.count(b), [t.count(b) for t in tables])
        wanted = int(b > 0 and ref_cnt[b] <= 0)
        if listed != wanted or (b == 0 and ref_cnt[0]) or sum(named) != max(ref_cnt[b], 0) or (max(named, default=0) > 1):
            wrong.add(b)
    return wrong

# %% false-alarm | visible: yes | looks at three tables
def wrong_blocks(num_blocks, free, ref_cnt, tables):
    wrong = set()
    for b in range(num_blocks):
        listed, named = (free.count(b), [t.count(b) for t in tables[:3]])
        wanted = int(b > 0 and ref_cnt[b] == 0)
        if listed != wanted or (b == 0 and ref_cnt[0]) or sum(named) != ref_cnt[b] or (max(named, default=0) > 1):
            wrong.add(b)
    return wrong
