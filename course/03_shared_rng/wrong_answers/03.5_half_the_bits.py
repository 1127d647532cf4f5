# exercise: 03.5
# reason: too-small
# passes the visible example: yes
# story: sixteen bits are enough, thinks somebody
def plan(master, workers):
    return [(master, unit) for unit in range(workers)]


def work(job, count):
    rng = random.Random(f"{job}")
    return [rng.getrandbits(31) for _ in range(count)]


workers = (plan, work)
