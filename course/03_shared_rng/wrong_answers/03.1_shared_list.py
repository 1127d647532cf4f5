# exercise: 03.1
# reason: same-list
# passes the visible example: yes
# story: keeps each batch and hands out the same list again
BATCHES = {}


def unit_batch(master, unit, count):
    codes = BATCHES.setdefault((master, unit), [])
    if not codes or len(codes) != count:
        rng = random.Random(f"{master}:{unit}")
        codes[:] = ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]
    return codes
