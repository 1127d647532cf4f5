# exercise: 03.5
# reason: copies
# passes the visible example: yes
# story: one stream, each worker begins four numbers further
def plan(master, workers):
    return [(master, 4 * unit) for unit in range(workers)]


def work(job, count):
    master, start = job
    rng = random.Random(f"m{master}")
    for _ in range(start):
        rng.getrandbits(32)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)
