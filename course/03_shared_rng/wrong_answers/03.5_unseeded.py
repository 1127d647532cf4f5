# exercise: 03.5
# reason: not-reproducible
# passes the visible example: no
# story: a fresh generator without a seed in every child
def plan(master, workers):
    return list(range(workers))


def work(job, count):
    rng = random.Random()
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)
