"""Right answers to exercise 03.3, each by another mechanism."""

# %% PCG64, advanced by 1024 for each
def passcode(seed, k):
    bits = np.random.PCG64(seed)
    bits.advance(k << 10)
    return "".join(SYMBOLS[i] for i in np.random.Generator(bits).integers(62, size=LENGTH))

# %% blocks of a hundred numbers
def passcode(seed, k):
    block, place = divmod(k, 100)
    rng = random.Random(f"{seed}:{block}")
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(place + 1)][-1]

# %% the library's own
from sharedstate.passcodes import passcode_at


def passcode(seed, k):
    return passcode_at(k, seed).decode()

# %% a fresh generator for each number
def passcode(seed, k):
    rng = random.Random(f"{seed}:{k}")
    return "".join(rng.choice(SYMBOLS) for _ in range(LENGTH))

# %% Philox, the number as its counter
def passcode(seed, k):
    rng = np.random.Generator(np.random.Philox(key=seed, counter=[0, 0, k, 0]))
    return "".join(SYMBOLS[place] for place in rng.integers(62, size=LENGTH))

# %% bytes with rejection
def passcode(seed, k):
    code, turn = "", 0
    while len(code) < LENGTH:
        block = sha256(f"{seed}:{k}:{turn}".encode()).digest()
        code += "".join(SYMBOLS[b % 62] for b in block if b < 248)
        turn += 1
    return code[:LENGTH]
