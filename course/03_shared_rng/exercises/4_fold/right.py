"""Right answers to exercise 03.4, each by another mechanism."""

# %% a loop over the codes, not over the bytes
def to_symbols(raw, codes):
    kept = raw[raw < 256 // len(codes) * len(codes)]
    out = np.empty(kept.size, dtype=np.uint8)
    for place in range(len(codes)):
        out[kept % len(codes) == place] = codes[place]
    return out

# %% deletes the rejected
def to_symbols(raw, codes):
    limit = 255 - 256 % len(codes)
    return codes[np.delete(raw, np.flatnonzero(raw > limit)) % len(codes)]

# %% division instead of remainder
def to_symbols(raw, codes):
    share = 256 // len(codes)
    places = raw.astype(np.int64) // share
    return codes[places[places < len(codes)]]

# %% divmod
def to_symbols(raw, codes):
    rounds, places = np.divmod(raw.astype(int), len(codes))
    return codes[places[rounds < 256 // len(codes)]]

# %% a table of all bytes, and another one that says who is kept
def to_symbols(raw, codes):
    table, kept = np.resize(codes, 256), np.arange(256) < 256 - 256 % len(codes)
    return table[raw[kept[raw]]]

# %% bytes.translate with a table and what to delete
def to_symbols(raw, codes):
    few, told = len(codes), codes.tobytes()
    table = bytes(told[b % few] for b in range(256))
    return np.frombuffer(raw.tobytes().translate(table, bytes(range(256 - 256 % few, 256))), dtype=np.uint8)
