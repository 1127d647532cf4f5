# exercise: 03.1
# reason: shared-state
# passes the visible example: no
# story: one generator for all units, made once
RNG = random.Random(2026)


def unit_batch(master, unit, count):
    return ["".join(RNG.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]
