# exercise: 03.1
# reason: not-reproducible
# passes the visible example: yes
# story: numbers the pairs as they come
SEEN = {}


def unit_batch(master, unit, count):
    rng = random.Random(SEEN.setdefault((master, unit), len(SEEN)))
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]
