# exercise: 03.2
# mechanism: numpy, with four words for each
def derive(master, unit):
    return np.random.SeedSequence([master & 0xFFFFFFFF, master >> 32, unit & 0xFFFFFFFF, unit >> 32])
