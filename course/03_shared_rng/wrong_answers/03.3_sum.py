# exercise: 03.3
# reason: collision
# passes the visible example: yes
# story: seed plus number
def passcode(seed, k):
    rng = random.Random(seed + k)
    return "".join(rng.choice(SYMBOLS) for _ in range(LENGTH))
