# exercise: 03.5
# reason: copies
# passes the visible example: yes
# story: the parent's generator, each child skips ahead
def plan(master, workers):
    rng = random.Random(master)
    return [(rng, unit) for unit in range(workers)]


def work(job, count):
    rng, unit = job
    for _ in range(unit):
        rng.getrandbits(32)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)
