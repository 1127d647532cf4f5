"""Wrong answers to exercise 03.3: why each is rejected, whether it passes the lab's example, its story."""

# %% collision | visible: yes | blocks of a hundred numbers, the last of one is the first of the next
def passcode(seed, k):
    block, place = divmod(k, 99)
    rng = random.Random(f"{seed}:{block}")
    codes = ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(99)]
    return codes[place % 98]

# %% shared-state | visible: no | borrows the module's generator
def passcode(seed, k):
    before = random.getstate()
    random.seed(f"{seed}:{k}")
    code = "".join(random.choices(SYMBOLS, k=LENGTH))
    random.setstate(before)
    return code

# %% collision | visible: yes | the number written with 62 digits: unique, but the same for every seed
def passcode(seed, k):
    return "".join(SYMBOLS[k // 62**place % 62] for place in reversed(range(LENGTH)))

# %% biased | visible: yes | bytes of the digest, folded onto 62
def passcode(seed, k):
    return "".join(SYMBOLS[byte % 62] for byte in sha256(f"{seed}:{k}".encode()).digest()[:LENGTH])

# %% order-matters | visible: yes | hash() of a text
def passcode(seed, k):
    rng = random.Random(hash(f"{seed}:{k}"))
    return "".join(rng.choices(SYMBOLS, k=LENGTH))

# %% biased | visible: yes | sixteen hexadecimal digits of the digest
def passcode(seed, k):
    return sha256(f"{seed}:{k}".encode()).hexdigest()[:LENGTH]

# %% collision | visible: yes | seed and number without a border
def passcode(seed, k):
    rng = random.Random(f"{seed}{k}")
    return "".join(rng.choice(SYMBOLS) for _ in range(LENGTH))

# %% collision | visible: yes | only 32 bits of k
def passcode(seed, k):
    return "".join(random.Random(f"{seed}:{k % 2**32}").choices(SYMBOLS, k=LENGTH))

# %% remembers | visible: no | a cache
from functools import cache


@cache
def passcode(seed, k):
    return "".join(random.Random(f"{seed}:{k}").choices(SYMBOLS, k=LENGTH))

# %% shared-state | visible: no | a generator that goes on, whatever number is asked for
RNG = random.Random(2026)


def passcode(seed, k):
    return "".join(RNG.choice(SYMBOLS) for _ in range(LENGTH))

# %% shared-state | visible: no | seeds numpy's generator
def passcode(seed, k):
    np.random.seed([seed, k % 2**32, k >> 32])
    return "".join(SYMBOLS[i] for i in np.random.randint(62, size=LENGTH))

# %% overlap | visible: yes | advances by one draw, so neighbours share most of their symbols
def passcode(seed, k):
    bits = np.random.PCG64(seed)
    bits.advance(k)
    return "".join(SYMBOLS[i] for i in np.random.Generator(bits).integers(62, size=LENGTH))

# %% overlap | visible: yes | a passcode takes two blocks of Philox, and the next number begins one block later
def passcode(seed, k):
    rng = np.random.Generator(np.random.Philox(key=seed, counter=k))
    return "".join(SYMBOLS[place] for place in rng.integers(62, size=LENGTH))

# %% remembers | visible: no | keeps all passcodes it ever made
MADE = {}


def passcode(seed, k):
    if (seed, k) not in MADE:
        MADE[seed, k] = "".join(random.Random(f"{seed}:{k}").choices(SYMBOLS, k=LENGTH))
    return MADE[seed, k]

# %% shared-state | visible: no | uses the module's generator
def passcode(seed, k):
    random.seed(f"{seed}:{k}")
    return "".join(random.choice(SYMBOLS) for _ in range(LENGTH))

# %% collision | visible: yes | seed plus number
def passcode(seed, k):
    rng = random.Random(seed + k)
    return "".join(rng.choice(SYMBOLS) for _ in range(LENGTH))

# %% collision | visible: yes | a thousand numbers for each seed
def passcode(seed, k):
    rng = random.Random(seed * 1000 + k)
    return "".join(rng.choices(SYMBOLS, k=LENGTH))

# %% timeout | visible: yes | draws all predecessors first
def passcode(seed, k):
    rng = random.Random(seed)
    for _ in range(k):
        rng.choices(SYMBOLS, k=LENGTH)
    return "".join(rng.choice(SYMBOLS) for _ in range(LENGTH))

# %% collision | visible: yes | seed in the high 64 bits of one whole number
def passcode(seed, k):
    rng = random.Random((seed << 64) + k)
    return "".join(rng.choices(SYMBOLS, k=LENGTH))

# %% too-narrow | visible: yes | four bytes of a digest for a seed
from hashlib import sha256


def passcode(seed, k):
    rng = random.Random(int.from_bytes(sha256(f"{seed}/{k}".encode()).digest()[:4], "big"))
    return "".join(rng.choices(SYMBOLS, k=LENGTH))

# %% collision | visible: yes | seed and number in one, with 48 bits for the number
def passcode(seed, k):
    rng = random.Random(seed << 48 | k)
    return "".join(rng.choice(SYMBOLS) for _ in range(LENGTH))
