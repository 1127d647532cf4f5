# exercise: 03.5
# reason: copies
# passes the visible example: yes
# story: every child draws from its copy of the module's generator
def plan(master, workers):
    random.seed(master)
    return list(range(workers))


def work(job, count):
    return [random.getrandbits(32) for _ in range(count)]


workers = (plan, work)
