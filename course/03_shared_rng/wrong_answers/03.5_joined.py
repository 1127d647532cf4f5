# exercise: 03.5
# reason: masters-meet
# passes the visible example: yes
# story: master and unit as one text
def plan(master, workers):
    return [f"{master}{unit}" for unit in range(workers)]


def work(job, count):
    rng = random.Random(job)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)
