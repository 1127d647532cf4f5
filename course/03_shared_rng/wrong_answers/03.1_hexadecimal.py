# exercise: 03.1
# reason: biased
# passes the visible example: yes
# story: hexadecimal digits look like letters and digits
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    return [f"{rng.getrandbits(64):016x}" for _ in range(count)]
