# exercise: 03.3
# mechanism: blocks of a hundred numbers
def passcode(seed, k):
    block, place = divmod(k, 100)
    rng = random.Random(f"{seed}:{block}")
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(place + 1)][-1]
