# exercise: 03.1
# reason: shared-state
# passes the visible example: no
# story: seeds the module's generator, which belongs to everybody
def unit_batch(master, unit, count):
    random.seed(f"{master}:{unit}")
    return ["".join(random.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]
