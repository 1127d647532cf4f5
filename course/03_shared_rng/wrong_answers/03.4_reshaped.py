# exercise: 03.4
# reason: not-in-order
# passes the visible example: no
# story: cuts into rows of 62 first
def to_symbols(raw):
    kept = raw[raw < 248]
    rows = kept[: kept.size // 4 * 4].reshape(-1, 4)
    return CODES[rows % 62].ravel()
