# exercise: 03.3
# mechanism: a fresh generator for each number
def passcode(seed, k):
    rng = random.Random(f"{seed}:{k}")
    return "".join(rng.choice(SYMBOLS) for _ in range(LENGTH))
