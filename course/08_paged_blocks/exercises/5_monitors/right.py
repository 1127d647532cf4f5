"""Right answers to exercise 08.5, each by another mechanism."""

# %% sets of places that are filled and of blocks
def monitors(tables, block_size, prompts):
    filled = {(blocks[i // block_size], i % block_size) for blocks, length in tables for i in range(length)}
    names = [block for blocks, _ in tables for block in blocks]
    places = len(set(names)) * block_size
    asked = sum(tokens for tokens, found in prompts)
    rate = sum(found for tokens, found in prompts) / asked if asked else 0.0
    return rate, (places - len(filled)) / places if places else 0.0, (len(names) - len(set(names))) * block_size

# %% a counter of names, and the longest table of each block
from collections import Counter


def monitors(tables, block_size, prompts):
    names = Counter(block for blocks, _ in tables for block in blocks)
    empty = 0
    for block in names:
        empty += min(min(block_size, max(0, (blocks.index(block) + 1) * block_size - length))
                     for blocks, length in tables if block in blocks)
    asked = [0, 0]
    for tokens, found in prompts:
        asked = [asked[0] + tokens, asked[1] + found]
    return (asked[1] / asked[0] if asked[0] else 0, empty / (len(names) * block_size) if names else 0,
            sum(count - 1 for count in names.values()) * block_size)
