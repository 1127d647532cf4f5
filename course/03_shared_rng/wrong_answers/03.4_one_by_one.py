# exercise: 03.4
# reason: loops
# passes the visible example: no
# story: a loop over the bytes
def to_symbols(raw):
    return np.array([CODES[byte % 62] for byte in raw if byte < 248], dtype=np.uint8)
