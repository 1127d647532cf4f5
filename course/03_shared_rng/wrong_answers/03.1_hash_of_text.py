# exercise: 03.1
# reason: not-reproducible
# passes the visible example: yes
# story: hash() of a text: another one in every process
def unit_batch(master, unit, count):
    rng = random.Random(hash(f"{master}:{unit}"))
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]
