# exercise: 03.5
# mechanism: Philox keys
def plan(master, workers):
    return [(master << 64) + unit for unit in range(workers)]


def work(job, count):
    return np.random.Generator(np.random.Philox(key=job)).integers(2**32, size=count).tolist()


workers = (plan, work)
