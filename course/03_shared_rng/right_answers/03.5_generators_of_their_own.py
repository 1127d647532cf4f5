# exercise: 03.5
# mechanism: a generator in each job, each seeded apart
def plan(master, workers):
    return [random.Random(f"{master}:{unit}") for unit in range(workers)]


def work(job, count):
    return [job.randrange(2**32) for _ in range(count)]


workers = (plan, work)
