# exercise: 03.4
# reason: loops
# passes the visible example: no
# story: a loop over bytes(raw)
def to_symbols(raw):
    return np.array([CODES[b % 62] for b in bytes(raw) if b < 248], dtype=np.uint8)
