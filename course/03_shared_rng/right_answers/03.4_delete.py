# exercise: 03.4
# mechanism: deletes the rejected
def to_symbols(raw):
    return CODES[np.delete(raw, np.flatnonzero(raw > 247)) % 62]
