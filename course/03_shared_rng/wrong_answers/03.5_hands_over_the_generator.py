# exercise: 03.5
# reason: copies
# passes the visible example: yes
# story: one generator, handed to every worker
def plan(master, workers):
    rng = random.Random(master)
    return [rng] * workers


def work(job, count):
    return [job.getrandbits(32) for _ in range(count)]


workers = (plan, work)
