# exercise: 03.4
# mechanism: a loop over the 62 symbols, not over the bytes
def to_symbols(raw):
    kept = raw[raw < 248]
    out = np.empty(kept.size, dtype=np.uint8)
    for place in range(62):
        out[kept % 62 == place] = CODES[place]
    return out
