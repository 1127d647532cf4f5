# exercise: 03.5
# reason: masters-meet
# passes the visible example: yes
# story: only the unit counts
def plan(master, workers):
    return list(range(workers))


def work(job, count):
    rng = random.Random(f"unit {job}")
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)
