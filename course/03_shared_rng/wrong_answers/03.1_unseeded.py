# exercise: 03.1
# reason: not-reproducible
# passes the visible example: yes
# story: a generator of its own, seeded by chance
def unit_batch(master, unit, count):
    rng = random.Random()
    return ["".join(rng.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]
