# exercise: 03.5
# reason: copies
# passes the visible example: yes
# story: a generator in the module, copied by the fork
RNG = random.Random(1)


def plan(master, workers):
    RNG.seed(master)
    return list(range(workers))


def work(job, count):
    return [RNG.getrandbits(32) for _ in range(count)]


workers = (plan, work)
