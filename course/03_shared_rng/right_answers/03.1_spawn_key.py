# exercise: 03.1
# mechanism: a spawn key of numpy and one draw for each passcode
def unit_batch(master, unit, count):
    rng = np.random.default_rng(np.random.SeedSequence(master, spawn_key=(unit,)))
    return ["".join(SYMBOLS[i] for i in rng.integers(62, size=LENGTH)) for _ in range(count)]
