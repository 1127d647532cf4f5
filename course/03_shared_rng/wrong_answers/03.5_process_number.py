# exercise: 03.5
# reason: not-reproducible
# passes the visible example: no
# story: the process's number tells workers apart
import os


def plan(master, workers):
    return [(master, unit) for unit in range(workers)]


def work(job, count):
    rng = random.Random(f"{job}:{os.getpid()}")
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)
