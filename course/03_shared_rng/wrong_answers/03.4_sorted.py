# exercise: 03.4
# reason: not-in-order
# passes the visible example: no
# story: sorts, which looks tidy
def to_symbols(raw):
    kept = np.sort(raw[raw < 248])
    return CODES[kept % 62]
