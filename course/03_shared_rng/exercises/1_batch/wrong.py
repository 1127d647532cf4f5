"""Wrong answers to exercise 03.1: why each is rejected, whether it passes the lab's example, its story."""

# %% shared-state | visible: no | a generator in the module, seeded anew for each batch
RNG = random.Random(7)


def unit_batch(master, unit, count):
    RNG.seed(master ^ (unit << 8))
    return ["".join(RNG.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]

# %% shared-state | visible: no | borrows the module's generator and puts its state back
def unit_batch(master, unit, count):
    before = random.getstate()
    random.seed(f"{master}:{unit}")
    codes = ["".join(random.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]
    random.setstate(before)
    return codes

# %% not-reproducible | visible: yes | draws place by place, so that a longer batch begins otherwise
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    columns = [rng.choices(SYMBOLS, k=count) for _ in range(LENGTH)]
    return ["".join(row) for row in zip(*columns)]

# %% not-reproducible | visible: yes | a set on the way, so the order depends on hash()
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    codes = set()
    while len(codes) < count:
        codes.add("".join(rng.choices(SYMBOLS, k=LENGTH)))
    return list(codes)

# %% biased | visible: yes | random bytes, folded onto 62 symbols
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    return ["".join(SYMBOLS[byte % 62] for byte in rng.randbytes(LENGTH)) for _ in range(count)]

# %% not-reproducible | visible: yes | hash() of a text: another one in every process
def unit_batch(master, unit, count):
    rng = random.Random(hash(f"{master}:{unit}"))
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]

# %% biased | visible: yes | hexadecimal digits look like letters and digits
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    return [f"{rng.getrandbits(64):016x}" for _ in range(count)]

# %% not-reproducible | visible: yes | numbers the pairs as they come
SEEN = {}


def unit_batch(master, unit, count):
    rng = random.Random(SEEN.setdefault((master, unit), len(SEEN)))
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]

# %% shared-state | visible: no | one generator for all units, made once
RNG = random.Random(2026)


def unit_batch(master, unit, count):
    return ["".join(RNG.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]

# %% wrong-shape | visible: no | one text instead of a list of passcodes
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    return "".join(rng.choice(SYMBOLS) for _ in range(LENGTH * count))

# %% not-reproducible | visible: yes | the length of the batch goes into the seed
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}:{count}")
    return ["".join(rng.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]

# %% shared-state | visible: no | seeds numpy's generator, which belongs to everybody too
def unit_batch(master, unit, count):
    np.random.seed(int.from_bytes(sha256(f"{master}:{unit}".encode()).digest()[:4], "big"))
    return ["".join(SYMBOLS[i] for i in np.random.randint(62, size=LENGTH)) for _ in range(count)]

# %% shared-state | visible: no | seeds the module's generator, which belongs to everybody
def unit_batch(master, unit, count):
    random.seed(f"{master}:{unit}")
    return ["".join(random.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]

# %% same-list | visible: yes | keeps each batch and hands out the same list again
BATCHES = {}


def unit_batch(master, unit, count):
    codes = BATCHES.setdefault((master, unit), [])
    if not codes or len(codes) != count:
        rng = random.Random(f"{master}:{unit}")
        codes[:] = ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]
    return codes

# %% streams-meet | visible: yes | the same passcode from the hundredth on
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    own = ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(min(count, 100))]
    rest = random.Random(f"{master}")
    return own + ["".join(rest.choices(SYMBOLS, k=LENGTH)) for _ in range(count - len(own))]

# %% streams-meet | visible: yes | room for sixteen units between two masters
def unit_batch(master, unit, count):
    rng = random.Random(master * 16 + unit)
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]

# %% streams-meet | visible: yes | one stream for the master; each unit begins a hundred passcodes further
def unit_batch(master, unit, count):
    rng = random.Random(f"batch {master}")
    rng.choices(SYMBOLS, k=LENGTH * 100 * unit)
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]

# %% streams-meet | visible: yes | adds the unit to the master
def unit_batch(master, unit, count):
    rng = random.Random(master + unit)
    return ["".join(rng.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]

# %% not-reproducible | visible: yes | a generator of its own, seeded by chance
def unit_batch(master, unit, count):
    rng = random.Random()
    return ["".join(rng.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]

# %% biased | visible: yes | each passcode begins one symbol further in one long text
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    text = "".join(rng.choices(SYMBOLS, k=LENGTH + count))
    return [text[k : k + LENGTH] for k in range(count)]

# %% biased | visible: yes | draws without repetition: no symbol comes twice in a passcode
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    return ["".join(rng.sample(SYMBOLS, LENGTH)) for _ in range(count)]

# %% streams-meet | visible: yes | every unit starts from the master itself
def unit_batch(master, unit, count):
    rng = random.Random(master)
    return ["".join(rng.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]

# %% streams-meet | visible: yes | xors the unit into the master
def unit_batch(master, unit, count):
    rng = random.Random(master ^ unit)
    return ["".join(rng.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]

# %% too-narrow | visible: yes | adds the unit to 32 bits that the master draws
def unit_batch(master, unit, count):
    base = random.Random(master).getrandbits(32)
    rng = random.Random(base + unit)
    return ["".join(rng.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]

# %% too-narrow | visible: yes | a checksum of 32 bits for a seed
import zlib


def unit_batch(master, unit, count):
    rng = random.Random(zlib.crc32(f"{master}:{unit}".encode()))
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]

# %% streams-meet | visible: yes | master and unit in one number, with 64 bits between them
def unit_batch(master, unit, count):
    rng = random.Random(master << 64 | unit)
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]

# %% streams-meet | visible: yes | ten decimal places for the unit
def unit_batch(master, unit, count):
    rng = random.Random(master * 10**10 + unit)
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]

# %% streams-meet | visible: yes | Szudzik's pairing: one number for each pair, and none is left out
def unit_batch(master, unit, count):
    rng = random.Random(unit * unit + master if master < unit else master * master + master + unit)
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]

# %% too-narrow | visible: yes | eight hexadecimal digits of a digest
def unit_batch(master, unit, count):
    rng = random.Random(sha256(f"{master}:{unit}".encode()).hexdigest()[:8])
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]

# %% too-narrow | visible: yes | a checksum for numpy's bit generator
import zlib


def unit_batch(master, unit, count):
    rng = np.random.Generator(np.random.PCG64(zlib.crc32(f"{master}:{unit}".encode())))
    return ["".join(SYMBOLS[i] for i in rng.integers(62, size=LENGTH)) for _ in range(count)]

# %% shared-state | visible: yes | keeps each unit's generator, and draws on when more is asked
KEPT = {}


def unit_batch(master, unit, count):
    rng, codes = KEPT.setdefault((master, unit), (random.Random(f'{master}:{unit}'), []))
    while len(codes) < count:
        codes.append(''.join(rng.choice(SYMBOLS) for _ in range(LENGTH)))
    return codes[:count]
