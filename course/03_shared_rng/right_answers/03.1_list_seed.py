# exercise: 03.1
# mechanism: numpy's list of two
def unit_batch(master, unit, count):
    rng = np.random.default_rng([master, unit])
    return ["".join(row) for row in np.array(list(SYMBOLS))[rng.integers(0, 62, size=(count, LENGTH))].tolist()]
