# exercise: 03.5
# mechanism: numpy spawns a seed sequence for each worker
def plan(master, workers):
    return np.random.SeedSequence(master).spawn(workers)


def work(job, count):
    return np.random.default_rng(job).integers(2**32, size=count).tolist()


workers = (plan, work)
