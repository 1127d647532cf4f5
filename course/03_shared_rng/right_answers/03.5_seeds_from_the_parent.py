# exercise: 03.5
# mechanism: the parent draws a seed for each worker
def plan(master, workers):
    rng = random.Random(f"parent {master}")
    return [rng.getrandbits(128) for _ in range(workers)]


def work(job, count):
    rng = random.Random(job)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)
