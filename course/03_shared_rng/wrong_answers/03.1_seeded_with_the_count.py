# exercise: 03.1
# reason: not-reproducible
# passes the visible example: yes
# story: the length of the batch goes into the seed
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}:{count}")
    return ["".join(rng.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]
