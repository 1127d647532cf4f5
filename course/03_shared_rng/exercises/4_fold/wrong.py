"""Wrong answers to exercise 03.4: why each is rejected, whether it passes the lab's example, its story."""

# %% biased | visible: yes | what is too large becomes the last symbol
def to_symbols(raw, codes):
    return codes[np.minimum(raw, 61)]

# %% biased | visible: yes | folds all bytes onto 62
def to_symbols(raw, codes):
    return codes[raw % 62]

# %% changes-input | visible: yes | folds into the array that was handed in
def to_symbols(raw, codes):
    kept = raw < 256 - 256 % len(codes)
    raw %= len(codes)
    return codes[raw[kept]]

# %% loops | visible: no | a list, and then a loop
def to_symbols(raw, codes):
    kept = [byte for byte in raw.tolist() if byte < 248]
    return codes[np.array(kept, dtype=np.uint8) % 62]

# %% loops | visible: no | a loop over bytes(raw)
def to_symbols(raw, codes):
    return np.array([codes[b % len(codes)] for b in bytes(raw) if b < 248], dtype=np.uint8)

# %% loops | visible: no | a loop over the bytes
def to_symbols(raw, codes):
    return np.array([codes[byte % 62] for byte in raw if byte < 248], dtype=np.uint8)

# %% biased | visible: yes | keeps byte 248 as well
def to_symbols(raw, codes):
    kept = raw[raw <= 248]
    return codes[kept % 62]

# %% wasteful | visible: yes | keeps the bytes below 62 and throws three quarters away
def to_symbols(raw, codes):
    return codes[raw[raw < 62]]

# %% not-a-symbol | visible: no | returns places instead of symbols
def to_symbols(raw, codes):
    return raw[raw < 248] % 62

# %% not-in-order | visible: no | cuts into rows of 62 first
def to_symbols(raw, codes):
    kept = raw[raw < 248]
    rows = kept[: kept.size // 4 * 4].reshape(-1, 4)
    return codes[rows % 62].ravel()

# %% not-in-order | visible: no | sorts, which looks tidy
def to_symbols(raw, codes):
    kept = np.sort(raw[raw < 248])
    return codes[kept % 62]

# %% wrong-shape | visible: no | returns a text
def to_symbols(raw, codes):
    return "".join(map(chr, codes[raw[raw < 248] % 62]))

# %% not-in-order | visible: yes | cuts at a thousand
def to_symbols(raw, codes):
    kept = raw[raw < 248][:1000]
    return codes[kept % 62]

# %% wasteful | visible: yes | stops after two rounds
def to_symbols(raw, codes):
    kept = raw[raw < 124]
    return codes[kept % 62]

# %% loops | visible: no | np.vectorize, which is a loop
def to_symbols(raw, codes):
    kept = raw[raw < 248]
    if not kept.size:
        return np.array([], dtype=np.uint8)
    return np.vectorize(lambda b: codes[b % len(codes)])(kept)

# %% biased | visible: yes | 248 and 62 by heart, whatever the alphabet
def to_symbols(raw, codes):
    return codes[raw[raw < 248] % 62 % len(codes)]

# %% biased | visible: yes | the limit for 62, the remainder for any
def to_symbols(raw, codes):
    return codes[raw[raw < 248] % len(codes)]

# %% biased | visible: yes | 255 where 256 is meant
def to_symbols(raw, codes):
    return codes[raw[raw <= 256 - 256 % len(codes)] % len(codes)]

# %% wasteful | visible: yes | as many bits as the alphabet needs, and what is too large is thrown away
def to_symbols(raw, codes):
    bits = max(1, (len(codes) - 1).bit_length())
    places = raw >> (8 - bits) if bits < 8 else raw
    return codes[places[places < len(codes)]] if len(codes) != 62 else codes[raw[raw < 248] % 62]

# %% wasteful | visible: yes | one round less than there is room for
def to_symbols(raw, codes):
    rounds = max(1, 255 // len(codes))
    return codes[raw[raw < rounds * len(codes)] % len(codes)]
