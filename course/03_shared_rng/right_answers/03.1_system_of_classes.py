# exercise: 03.1
# mechanism: a class with a stream
class Stream:
    def __init__(self, *key):
        self.rng = random.Random("/".join(map(str, key)))

    def __iter__(self):
        return self

    def __next__(self):
        return "".join(self.rng.choice(SYMBOLS) for _ in range(LENGTH))


def unit_batch(master, unit, count):
    return [code for _, code in zip(range(count), Stream("unit", master, unit))]
