"""Wrong answers to exercise 09.2: why each is rejected, whether it passes the lab's example, its story."""

# %% shared | visible: yes | one generator in the module, seeded anew by whoever comes
everybody = random.Random()

def dice(request_id, seed, sample, start):
    key = ("id", request_id, sample) if seed is None else ("seed", seed, sample)
    everybody.seed(repr(key))
    for _ in range(start):
        everybody.random()
    while True:
        yield everybody.random()

# %% global-state | visible: no | the generator that belongs to everybody, seeded for the request
def dice(request_id, seed, sample, start):
    key = ("id", request_id, sample) if seed is None else ("seed", seed, sample)
    random.seed(repr(key))
    for _ in range(start):
        random.random()
    while True:
        yield random.random()

# %% rebuilt | visible: no | makes the generator for each number
def dice(request_id, seed, sample, start):
    key = ("id", request_id, sample) if seed is None else ("seed", seed, sample)
    while True:
        yield random.Random(repr(key)).random()

# %% not-repeatable | visible: no | keeps the generators, so that a key that comes again goes on
kept = {}

def dice(request_id, seed, sample, start):
    key = ("id", request_id, sample) if seed is None else ("seed", seed, sample)
    own = kept.setdefault(key, random.Random(repr(key)))
    for _ in range(start):
        own.random()
    while True:
        yield own.random()

# %% handed-out-twice | visible: yes | keeps one generator for each key, and seeds it anew when the key comes again
generators = {}

def dice(request_id, seed, sample, start):
    key = ("id", request_id, sample) if seed is None else ("seed", seed, sample)
    own = generators.setdefault(key, random.Random())
    own.seed(repr(key))
    for _ in range(start):
        own.random()
    while True:
        yield own.random()

# %% hash | visible: yes | Python's own hash
def dice(request_id, seed, sample, start):
    own = random.Random(hash(("id", request_id, sample) if seed is None else ("seed", repr(seed), sample)))
    for _ in range(start):
        own.random()
    while True:
        yield own.random()

# %% ignores-start | visible: no | begins at the beginning
def dice(request_id, seed, sample, start):
    own = random.Random(repr(("id", request_id, sample) if seed is None else ("seed", seed, sample)))
    while True:
        yield own.random()

# %% ignores-start | visible: no | start is a part of the key
def dice(request_id, seed, sample, start):
    key = ("id", request_id, sample, start) if seed is None else ("seed", seed, sample, start)
    own = random.Random(repr(key))
    while True:
        yield own.random()

# %% seed-zero | visible: yes | seed or request_id
def dice(request_id, seed, sample, start):
    own = random.Random(repr(("seed", seed, sample) if seed else ("id", request_id, sample)))
    for _ in range(start):
        own.random()
    while True:
        yield own.random()

# %% untagged | visible: yes | one text, whatever it is made of
def dice(request_id, seed, sample, start):
    own = random.Random(f"{request_id if seed is None else seed} {sample}")
    for _ in range(start):
        own.random()
    while True:
        yield own.random()

# %% runs-together | visible: yes | seed + sample
def dice(request_id, seed, sample, start):
    kind = "id" if seed is None else type(seed).__name__
    own = random.Random(f"{kind} {seed + sample}" if kind == "int" else f"{kind} {seed or request_id} {sample}")
    for _ in range(start):
        own.random()
    while True:
        yield own.random()

# %% runs-together | visible: yes | writes seed and sample one after the other
def dice(request_id, seed, sample, start):
    own = random.Random(f"id {request_id}{sample}" if seed is None else f"{type(seed)} {seed}{sample}")
    for _ in range(start):
        own.random()
    while True:
        yield own.random()

# %% loses-the-sign | visible: yes | a whole number is a seed as it is
def dice(request_id, seed, sample, start):
    if type(seed) is int:
        own = random.Random(seed * 1_000_003 + sample)
    else:
        own = random.Random(repr(("id", request_id, sample) if seed is None else ("seed", seed, sample)))
    for _ in range(start):
        own.random()
    while True:
        yield own.random()

# %% too-narrow | visible: yes | numbers are cut to 32 bits, as an old interface wants them
def dice(request_id, seed, sample, start):
    seed = seed % 2**32 if type(seed) is int else seed
    own = random.Random(repr(("id", request_id, sample) if seed is None else ("seed", seed, sample)))
    for _ in range(start):
        own.random()
    while True:
        yield own.random()

# %% ignores-the-sample | visible: yes | n samples of one prompt are one text, n times
def dice(request_id, seed, sample, start):
    own = random.Random(repr(("id", request_id) if seed is None else ("seed", seed)))
    for _ in range(start):
        own.random()
    while True:
        yield own.random()

# %% mixes-in-the-id | visible: yes | everything goes into the key
def dice(request_id, seed, sample, start):
    own = random.Random(repr((request_id, seed, sample)))
    for _ in range(start):
        own.random()
    while True:
        yield own.random()

# %% ends | visible: no | a list of numbers that seemed long enough
def dice(request_id, seed, sample, start):
    own = random.Random(repr(("id", request_id, sample) if seed is None else ("seed", seed, sample)))
    return iter([own.random() for _ in range(3)][start:])

# %% uneven | visible: yes | the square makes small numbers likelier
def dice(request_id, seed, sample, start):
    own = random.Random(repr(("id", request_id, sample) if seed is None else ("seed", seed, sample)))
    for _ in range(start):
        own.random()
    while True:
        yield own.random() ** 2

# %% uneven | visible: yes | a walk along the circle: each number is the last one and a bit
def dice(request_id, seed, sample, start):
    key = ("id", request_id, sample) if seed is None else ("seed", seed, sample)
    first = random.Random(repr(key)).random()
    while True:
        yield (first + start * 0.0123456789) % 1
        start += 1

# %% global-state | visible: no | warms up with a number of everybody's generator
def dice(request_id, seed, sample, start):
    random.random()
    own = random.Random(repr(("id", request_id, sample) if seed is None else ("seed", seed, sample)))
    for _ in range(start):
        own.random()
    while True:
        yield own.random()

# %% ignores-the-id | visible: yes | ids in lower case
def dice(request_id, seed, sample, start):
    key = ("id", request_id.lower(), sample) if seed is None else ("seed", seed, sample)
    own = random.Random(repr(key))
    for _ in range(start):
        own.random()
    while True:
        yield own.random()

# %% ignores-the-id | visible: yes | eight letters of an id seemed enough
def dice(request_id, seed, sample, start):
    key = ("id", request_id[:8], sample) if seed is None else ("seed", seed, sample)
    own = random.Random(repr(key))
    for _ in range(start):
        own.random()
    while True:
        yield own.random()

# %% not-repeatable | visible: no | the machine's own randomness
def dice(request_id, seed, sample, start):
    own = random.SystemRandom()
    while True:
        yield own.random()

# %% ignores-the-sample | visible: yes | a byte for the sample
import hashlib
import random


def dice(request_id, seed, sample, start):
    key = ('id', request_id, sample % 256) if seed is None else ('seed', seed, sample % 256)
    own = random.Random(hashlib.sha256(repr(key).encode()).digest())
    for _ in range(start):
        own.random()
    while True:
        yield own.random()

# %% untagged | visible: yes | an empty text is no seed
import hashlib
import random


def dice(request_id, seed, sample, start):
    key = ('id', request_id, sample) if seed in (None, '') else ('seed', seed, sample)
    own = random.Random(hashlib.sha256(repr(key).encode()).digest())
    for _ in range(start):
        own.random()
    while True:
        yield own.random()
