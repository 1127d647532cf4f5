# exercise: 03.4
# mechanism: bytes.translate with a table and what to delete
FOLD = bytes(ord(SYMBOLS[b % 62]) for b in range(256))


def to_symbols(raw):
    return np.frombuffer(raw.tobytes().translate(FOLD, bytes(range(248, 256))), dtype=np.uint8)
