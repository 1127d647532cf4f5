"""Right answers to exercise 03.1, each by another mechanism."""

# %% a cache of tuples, copied out
from functools import cache


@cache
def kept(master, unit, count):
    rng = random.Random(repr((master, unit)))
    return tuple("".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count))


def unit_batch(master, unit, count):
    return list(kept(master, unit, count))

# %% a tagged digest as the seed
def unit_batch(master, unit, count):
    rng = random.Random(sha256(f"batch:{master}:{unit}".encode()).digest())
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]

# %% a generator inside, list outside
def unit_batch(master, unit, count):
    def stream():
        rng = random.Random(f"u{unit}m{master}")
        while True:
            yield "".join(rng.choice(SYMBOLS) for _ in range(LENGTH))

    endless = stream()
    return [next(endless) for _ in range(count)]

# %% the library's own generator
from sharedstate.passcodes import generate


def unit_batch(master, unit, count):
    return [code.decode() for code in generate(count, seed=master, unit=unit).tolist()]

# %% numpy's list of two
def unit_batch(master, unit, count):
    rng = np.random.default_rng([master, unit])
    return ["".join(row) for row in np.array(list(SYMBOLS))[rng.integers(0, 62, size=(count, LENGTH))].tolist()]

# %% an extendable digest, folded without bias
from hashlib import shake_256


def unit_batch(master, unit, count):
    kept, size = b"", count * LENGTH * 2 + 64
    while len(kept) < count * LENGTH:
        kept = bytes(b for b in shake_256(f"{master}|{unit}".encode()).digest(size) if b < 248)
        size *= 2
    text = "".join(SYMBOLS[b % 62] for b in kept)
    return [text[i : i + LENGTH] for i in range(0, count * LENGTH, LENGTH)]

# %% a spawn key of numpy and one draw for each passcode
def unit_batch(master, unit, count):
    rng = np.random.default_rng(np.random.SeedSequence(master, spawn_key=(unit,)))
    return ["".join(SYMBOLS[i] for i in rng.integers(62, size=LENGTH)) for _ in range(count)]

# %% each passcode a digest of master, unit and number
def unit_batch(master, unit, count):
    batch = []
    for k in range(count):
        number = int.from_bytes(sha256(f"{master}/{unit}/{k}".encode()).digest(), "big")
        batch.append("".join(SYMBOLS[number // 62**place % 62] for place in range(LENGTH)))
    return batch

# %% a class with a stream
class Stream:
    def __init__(self, *key):
        self.rng = random.Random("/".join(map(str, key)))

    def __iter__(self):
        return self

    def __next__(self):
        return "".join(self.rng.choice(SYMBOLS) for _ in range(LENGTH))


def unit_batch(master, unit, count):
    return [code for _, code in zip(range(count), Stream("unit", master, unit))]
