# exercise: 03.3
# reason: shared-state
# passes the visible example: no
# story: a generator that goes on, whatever number is asked for
RNG = random.Random(2026)


def passcode(seed, k):
    return "".join(RNG.choice(SYMBOLS) for _ in range(LENGTH))
