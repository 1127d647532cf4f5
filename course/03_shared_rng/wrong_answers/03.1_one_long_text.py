# exercise: 03.1
# reason: wrong-shape
# passes the visible example: no
# story: one text instead of a list of passcodes
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    return "".join(rng.choice(SYMBOLS) for _ in range(LENGTH * count))
