# exercise: 03.5
# reason: wrong-shape
# passes the visible example: yes
# story: always four numbers
def plan(master, workers):
    return [(master, unit) for unit in range(workers)]


def work(job, count):
    rng = random.Random(repr(job))
    return [rng.getrandbits(32) for _ in range(4)]


workers = (plan, work)
