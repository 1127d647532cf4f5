# exercise: 03.4
# reason: loops
# passes the visible example: no
# story: a list, and then a loop
def to_symbols(raw):
    kept = [byte for byte in raw.tolist() if byte < 248]
    return CODES[np.array(kept, dtype=np.uint8) % 62]
