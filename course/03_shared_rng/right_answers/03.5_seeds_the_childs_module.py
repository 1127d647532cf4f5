# exercise: 03.5
# mechanism: seeds the child's own module generator
def plan(master, workers):
    return [f"{master}/{unit}" for unit in range(workers)]


def work(job, count):
    random.seed(job)
    return [random.getrandbits(32) for _ in range(count)]


workers = (plan, work)
