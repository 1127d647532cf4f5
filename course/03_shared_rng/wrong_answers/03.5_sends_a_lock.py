# exercise: 03.5
# reason: cannot-be-sent
# passes the visible example: no
# story: a lock for the generator, in the job
from threading import Lock


def plan(master, workers):
    return [(random.Random(f"{master}:{unit}"), Lock()) for unit in range(workers)]


def work(job, count):
    rng, lock = job
    with lock:
        return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)
