# exercise: 03.3
# mechanism: Philox, the number as its counter
def passcode(seed, k):
    rng = np.random.Generator(np.random.Philox(key=seed, counter=[0, 0, k, 0]))
    return "".join(SYMBOLS[place] for place in rng.integers(62, size=LENGTH))
