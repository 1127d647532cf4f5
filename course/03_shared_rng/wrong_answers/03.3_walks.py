# exercise: 03.3
# reason: timeout
# passes the visible example: yes
# story: draws all predecessors first
def passcode(seed, k):
    rng = random.Random(seed)
    for _ in range(k):
        rng.choices(SYMBOLS, k=LENGTH)
    return "".join(rng.choice(SYMBOLS) for _ in range(LENGTH))
