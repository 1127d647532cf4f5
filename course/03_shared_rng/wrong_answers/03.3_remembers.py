# exercise: 03.3
# reason: remembers
# passes the visible example: no
# story: keeps all passcodes it ever made
MADE = {}


def passcode(seed, k):
    if (seed, k) not in MADE:
        MADE[seed, k] = "".join(random.Random(f"{seed}:{k}").choices(SYMBOLS, k=LENGTH))
    return MADE[seed, k]
