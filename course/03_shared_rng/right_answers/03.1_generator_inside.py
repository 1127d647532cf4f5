# exercise: 03.1
# mechanism: a generator inside, list outside
def unit_batch(master, unit, count):
    def stream():
        rng = random.Random(f"u{unit}m{master}")
        while True:
            yield "".join(rng.choice(SYMBOLS) for _ in range(LENGTH))

    endless = stream()
    return [next(endless) for _ in range(count)]
