"""Wrong answers to exercise 03.4: why each is rejected, whether it passes the lab's example, its story."""

# %% biased | visible: yes | what is too large becomes the last symbol
def to_symbols(raw):
    return CODES[np.minimum(raw, 61)]

# %% biased | visible: yes | folds all bytes onto 62
def to_symbols(raw):
    return CODES[raw % 62]

# %% changes-input | visible: yes | folds into the array that was handed in
def to_symbols(raw):
    kept = raw < 248
    raw %= 62
    return CODES[raw[kept]]

# %% loops | visible: no | a list, and then a loop
def to_symbols(raw):
    kept = [byte for byte in raw.tolist() if byte < 248]
    return CODES[np.array(kept, dtype=np.uint8) % 62]

# %% loops | visible: no | a loop over bytes(raw)
def to_symbols(raw):
    return np.array([CODES[b % 62] for b in bytes(raw) if b < 248], dtype=np.uint8)

# %% loops | visible: no | a loop over the bytes
def to_symbols(raw):
    return np.array([CODES[byte % 62] for byte in raw if byte < 248], dtype=np.uint8)

# %% biased | visible: yes | keeps byte 248 as well
def to_symbols(raw):
    kept = raw[raw <= 248]
    return CODES[kept % 62]

# %% wasteful | visible: yes | keeps the bytes below 62 and throws three quarters away
def to_symbols(raw):
    return CODES[raw[raw < 62]]

# %% not-a-symbol | visible: no | returns places instead of symbols
def to_symbols(raw):
    return raw[raw < 248] % 62

# %% not-in-order | visible: no | cuts into rows of 62 first
def to_symbols(raw):
    kept = raw[raw < 248]
    rows = kept[: kept.size // 4 * 4].reshape(-1, 4)
    return CODES[rows % 62].ravel()

# %% not-in-order | visible: no | sorts, which looks tidy
def to_symbols(raw):
    kept = np.sort(raw[raw < 248])
    return CODES[kept % 62]

# %% wrong-shape | visible: no | returns a text
def to_symbols(raw):
    return "".join(map(chr, CODES[raw[raw < 248] % 62]))

# %% not-in-order | visible: yes | cuts at a thousand
def to_symbols(raw):
    kept = raw[raw < 248][:1000]
    return CODES[kept % 62]

# %% wasteful | visible: yes | stops after two rounds
def to_symbols(raw):
    kept = raw[raw < 124]
    return CODES[kept % 62]

# %% loops | visible: no | np.vectorize, which is a loop
def to_symbols(raw):
    kept = raw[raw < 248]
    if not kept.size:
        return np.array([], dtype=np.uint8)
    return np.vectorize(lambda b: CODES[b % 62])(kept)
