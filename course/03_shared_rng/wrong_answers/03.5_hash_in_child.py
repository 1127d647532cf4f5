# exercise: 03.5
# reason: not-reproducible
# passes the visible example: no
# story: hash() in the child
def plan(master, workers):
    return [f"{master}:{unit}" for unit in range(workers)]


def work(job, count):
    rng = random.Random(hash(job))
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)
