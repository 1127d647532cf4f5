# exercise: 03.1
# reason: biased
# passes the visible example: yes
# story: random bytes, folded onto 62 symbols
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    return ["".join(SYMBOLS[byte % 62] for byte in rng.randbytes(LENGTH)) for _ in range(count)]
