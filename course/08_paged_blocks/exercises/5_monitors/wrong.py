"""Wrong answers to exercise 08.5: why each is rejected, whether it passes the lab's example, its story."""

# %% by-requests | visible: yes | the mean of the requests' rates
def monitors(tables, block_size, prompts):
    holds, named = {}, 0
    for blocks, length in tables:
        for index, block in enumerate(blocks):
            inside = min(block_size, length - index * block_size)
            holds[block] = max(holds.get(block, 0), inside)
            named += 1
    places = len(holds) * block_size
    empty = 1 - sum(holds.values()) / places if places else 0
    return (sum(hit / tokens for tokens, hit in prompts) / len(prompts) if prompts else 0), empty, (named - len(holds)) * block_size

# %% shared-twice | visible: yes | adds up tables, shared blocks twice
def monitors(tables, block_size, prompts):
    asked, found = sum(tokens for tokens, _ in prompts), sum(hit for _, hit in prompts)
    holds, named = {}, 0
    for blocks, length in tables:
        for index, block in enumerate(blocks):
            inside = min(block_size, length - index * block_size)
            holds[block] = max(holds.get(block, 0), inside)
            named += 1
    places = named * block_size
    empty = 1 - sum(length for _, length in tables) / places if places else 0
    return found / asked if asked else 0, empty, (named - len(holds)) * block_size

# %% last-table-wins | visible: yes | a block holds what its last table says
def monitors(tables, block_size, prompts):
    asked, found = sum(tokens for tokens, _ in prompts), sum(hit for _, hit in prompts)
    holds, named = {}, 0
    for blocks, length in tables:
        for index, block in enumerate(blocks):
            inside = min(block_size, length - index * block_size)
            holds[block] = max(0, inside)
            named += 1
    places = len(holds) * block_size
    empty = 1 - sum(holds.values()) / places if places else 0
    return found / asked if asked else 0, empty, (named - len(holds)) * block_size

# %% exception | visible: yes | nobody has asked yet
def monitors(tables, block_size, prompts):
    asked, found = sum(tokens for tokens, _ in prompts), sum(hit for _, hit in prompts)
    holds, named = {}, 0
    for blocks, length in tables:
        for index, block in enumerate(blocks):
            inside = min(block_size, length - index * block_size)
            holds[block] = max(holds.get(block, 0), inside)
            named += 1
    places = len(holds) * block_size
    empty = 1 - sum(holds.values()) / places if places else 0
    return found / asked, empty, (named - len(holds)) * block_size

# %% saves-wrong | visible: yes | every name in a table is a token saved
def monitors(tables, block_size, prompts):
    asked, found = sum(tokens for tokens, _ in prompts), sum(hit for _, hit in prompts)
    holds, named = {}, 0
    for blocks, length in tables:
        for index, block in enumerate(blocks):
            inside = min(block_size, length - index * block_size)
            holds[block] = max(holds.get(block, 0), inside)
            named += 1
    places = len(holds) * block_size
    empty = 1 - sum(holds.values()) / places if places else 0
    return found / asked if asked else 0, empty, (named - len(holds)) * block_size if named == len(holds) else named * block_size

# %% saves-wrong | visible: yes | counts blocks, not tokens
def monitors(tables, block_size, prompts):
    asked, found = sum(tokens for tokens, _ in prompts), sum(hit for _, hit in prompts)
    holds, named = {}, 0
    for blocks, length in tables:
        for index, block in enumerate(blocks):
            inside = min(block_size, length - index * block_size)
            holds[block] = max(holds.get(block, 0), inside)
            named += 1
    places = len(holds) * block_size
    empty = 1 - sum(holds.values()) / places if places else 0
    return found / asked if asked else 0, empty, named - len(holds)

# %% shared-twice | visible: yes | the share that is full
def monitors(tables, block_size, prompts):
    asked, found = sum(tokens for tokens, _ in prompts), sum(hit for _, hit in prompts)
    holds, named = {}, 0
    for blocks, length in tables:
        for index, block in enumerate(blocks):
            inside = min(block_size, length - index * block_size)
            holds[block] = min(block_size, holds.get(block, 0) + inside)
            named += 1
    places = len(holds) * block_size
    empty = 1 - sum(holds.values()) / places if places else 0
    return found / asked if asked else 0, empty, (named - len(holds)) * block_size

# %% wrong-sum | visible: yes | nobody has asked, so nothing is counted
def monitors(tables, block_size, prompts):
    asked, found = (sum((t for t, _ in prompts)), sum((h for _, h in prompts)))
    if not asked:
        return (0, 0, 0)
    holds, named = ({}, 0)
    for blocks, length in tables:
        for i, b in enumerate(blocks):
            holds[b] = max(holds.get(b, 0), min(block_size, length - i * block_size))
            named += 1
    places = len(holds) * block_size
    return (found / asked if asked else 0, 1 - sum(holds.values()) / places if places else 0, (named - len(holds)) * block_size)

# %% wrong-sum | visible: yes | looks at eight blocks of a table
def monitors(tables, block_size, prompts):
    asked, found = (sum((t for t, _ in prompts)), sum((h for _, h in prompts)))
    holds, named = ({}, 0)
    for blocks, length in tables:
        for i, b in enumerate(blocks[:8]):
            holds[b] = max(holds.get(b, 0), min(block_size, length - i * block_size))
            named += 1
    places = len(holds) * block_size
    return (found / asked if asked else 0, 1 - sum(holds.values()) / places if places else 0, (named - len(holds)) * block_size)
