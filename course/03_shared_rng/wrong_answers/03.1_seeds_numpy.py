# exercise: 03.1
# reason: shared-state
# passes the visible example: no
# story: seeds numpy's generator, which belongs to everybody too
def unit_batch(master, unit, count):
    np.random.seed(int.from_bytes(sha256(f"{master}:{unit}".encode()).digest()[:4], "big"))
    return ["".join(SYMBOLS[i] for i in np.random.randint(62, size=LENGTH)) for _ in range(count)]
