# exercise: 03.1
# reason: streams-meet
# passes the visible example: yes
# story: the same passcode from the hundredth on
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    own = ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(min(count, 100))]
    rest = random.Random(f"{master}")
    return own + ["".join(rest.choices(SYMBOLS, k=LENGTH)) for _ in range(count - len(own))]
