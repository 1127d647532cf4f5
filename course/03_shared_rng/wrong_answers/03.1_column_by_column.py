# exercise: 03.1
# reason: not-reproducible
# passes the visible example: yes
# story: draws place by place, so that a longer batch begins otherwise
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    columns = [rng.choices(SYMBOLS, k=count) for _ in range(LENGTH)]
    return ["".join(row) for row in zip(*columns)]
