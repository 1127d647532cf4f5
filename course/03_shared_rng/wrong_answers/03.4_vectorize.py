# exercise: 03.4
# reason: loops
# passes the visible example: no
# story: np.vectorize, which is a loop
def to_symbols(raw):
    kept = raw[raw < 248]
    if not kept.size:
        return np.array([], dtype=np.uint8)
    return np.vectorize(lambda b: CODES[b % 62])(kept)
