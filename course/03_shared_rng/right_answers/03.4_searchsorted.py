# exercise: 03.4
# mechanism: searchsorted on the limits
def to_symbols(raw):
    kept = raw[raw < 248].astype(np.int64)
    return CODES[kept - 62 * np.searchsorted([62, 124, 186], kept, side="right")]
