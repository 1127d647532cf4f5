# exercise: 03.4
# mechanism: a table of all bytes, zero for those that are rejected
TABLE = np.zeros(256, dtype=np.uint8)
TABLE[:248] = np.tile(CODES, 4)


def to_symbols(raw):
    found = TABLE[raw]
    return found[found > 0]
