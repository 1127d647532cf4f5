# exercise: 03.1
# reason: shared-state
# passes the visible example: no
# story: a generator in the module, seeded anew for each batch
RNG = random.Random(7)


def unit_batch(master, unit, count):
    RNG.seed(master ^ (unit << 8))
    return ["".join(RNG.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]
