# exercise: 03.5
# reason: masters-meet
# passes the visible example: yes
# story: master xor unit
def plan(master, workers):
    return [master ^ (unit << 4) for unit in range(workers)]


def work(job, count):
    rng = random.Random(job)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)
