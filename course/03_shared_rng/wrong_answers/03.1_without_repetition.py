# exercise: 03.1
# reason: biased
# passes the visible example: yes
# story: draws without repetition: no symbol comes twice in a passcode
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    return ["".join(rng.sample(SYMBOLS, LENGTH)) for _ in range(count)]
