# exercise: 03.2
# mechanism: a spawn key of numpy
def derive(master, unit):
    return np.random.SeedSequence(master, spawn_key=(unit,))
