"""Right answers to exercise 08.1, each by another mechanism."""

# %% all places of the table first, then a slice
def places(block_table, start, count, block_size):
    every = [block * block_size + inside if block else -1 for block in block_table for inside in range(block_size)]
    return (every + [-1] * (start + count))[start:start + count]

# %% one position at a time, an IndexError means -1
def places(block_table, start, count, block_size):
    def place(position):
        try:
            block = block_table[position // block_size]
        except IndexError:
            return -1
        return block * block_size + position % block_size if block else -1

    return [place(start + i) for i in range(count)]
