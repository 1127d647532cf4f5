# exercise: 03.5
# reason: copies
# passes the visible example: yes
# story: every worker seeds with the master
def plan(master, workers):
    return [master] * workers


def work(job, count):
    rng = random.Random(job)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)
