"""Right answers to exercise 08.6, each by another mechanism."""

# %% a list of slips, then the set of their blocks
def wrong_blocks(num_blocks, free, ref_cnt, tables):
    names = [block for table in tables for block in table]
    slips = [0] * (0 in free or 0 in names or ref_cnt[0] != 0)
    for block in range(1, num_blocks):
        if ref_cnt[block] != names.count(block):
            slips.append(block)
        if free.count(block) + (ref_cnt[block] > 0) != 1:
            slips.append(block)
    for table in tables:
        slips += [block for block in table if table.count(block) > 1]
    return set(slips)

# %% what a right pool would say, compared block by block
def wrong_blocks(num_blocks, free, ref_cnt, tables):
    def state(block):
        return free.count(block), ref_cnt[block], [table.count(block) for table in tables]

    def right(block):
        listed, count, named = state(block)
        if any(times > 1 for times in named) or sum(named) != count:
            return False
        return (listed, count) == (0, 0) if block == 0 else listed == int(count == 0)

    return {block for block in range(num_blocks) if not right(block)}
