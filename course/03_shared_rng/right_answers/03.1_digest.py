# exercise: 03.1
# mechanism: a tagged digest as the seed
def unit_batch(master, unit, count):
    rng = random.Random(sha256(f"batch:{master}:{unit}".encode()).digest())
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]
