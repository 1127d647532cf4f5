# exercise: 03.1
# reason: not-reproducible
# passes the visible example: yes
# story: a set on the way, so the order depends on hash()
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    codes = set()
    while len(codes) < count:
        codes.add("".join(rng.choices(SYMBOLS, k=LENGTH)))
    return list(codes)
