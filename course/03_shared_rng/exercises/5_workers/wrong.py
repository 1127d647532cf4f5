"""Wrong answers to exercise 03.5: why each is rejected, whether it passes the lab's example, its story."""

# %% copies | visible: yes | eight seeds, used again after that
def plan(master, workers):
    rng = random.Random(f"p{master}")
    seeds = [rng.getrandbits(64) for _ in range(8)]
    return [seeds[unit % 8] for unit in range(workers)]


def work(job, count):
    rng = random.Random(job)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% wrong-shape | visible: yes | always four numbers
def plan(master, workers):
    return [(master, unit) for unit in range(workers)]


def work(job, count):
    rng = random.Random(repr(job))
    return [rng.getrandbits(32) for _ in range(4)]


workers = (plan, work)

# %% too-small | visible: yes | sixteen bits are enough, thinks somebody
def plan(master, workers):
    return [(master, unit) for unit in range(workers)]


def work(job, count):
    rng = random.Random(f"{job}")
    return [rng.getrandbits(31) for _ in range(count)]


workers = (plan, work)

# %% copies | visible: yes | one generator, handed to every worker
def plan(master, workers):
    rng = random.Random(master)
    return [rng] * workers


def work(job, count):
    return [job.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% not-reproducible | visible: no | hash() in the child
def plan(master, workers):
    return [f"{master}:{unit}" for unit in range(workers)]


def work(job, count):
    rng = random.Random(hash(job))
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% copies | visible: yes | every child draws from its copy of the module's generator
def plan(master, workers):
    random.seed(master)
    return list(range(workers))


def work(job, count):
    return [random.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% masters-meet | visible: yes | master and unit as one text
def plan(master, workers):
    return [f"{master}{unit}" for unit in range(workers)]


def work(job, count):
    rng = random.Random(job)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% copies | visible: yes | one stream, each worker begins four numbers further
def plan(master, workers):
    return [(master, 4 * unit) for unit in range(workers)]


def work(job, count):
    master, start = job
    rng = random.Random(f"m{master}")
    for _ in range(start):
        rng.getrandbits(32)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% copies | visible: yes | a generator in the module, copied by the fork
RNG = random.Random(1)


def plan(master, workers):
    RNG.seed(master)
    return list(range(workers))


def work(job, count):
    return [RNG.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% not-reproducible | visible: no | the process's number tells workers apart
import os


def plan(master, workers):
    return [(master, unit) for unit in range(workers)]


def work(job, count):
    rng = random.Random(f"{job}:{os.getpid()}")
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% copies | visible: yes | every worker seeds with the master
def plan(master, workers):
    return [master] * workers


def work(job, count):
    rng = random.Random(job)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% cannot-be-sent | visible: no | a lock for the generator, in the job
from threading import Lock


def plan(master, workers):
    return [(random.Random(f"{master}:{unit}"), Lock()) for unit in range(workers)]


def work(job, count):
    rng, lock = job
    with lock:
        return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% masters-meet | visible: yes | room for sixteen workers
def plan(master, workers):
    return [master * 16 + unit for unit in range(workers)]


def work(job, count):
    rng = random.Random(job)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% copies | visible: yes | the parent's generator, each child skips ahead
def plan(master, workers):
    rng = random.Random(master)
    return [(rng, unit) for unit in range(workers)]


def work(job, count):
    rng, unit = job
    for _ in range(unit):
        rng.getrandbits(32)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% masters-meet | visible: yes | master plus unit: the next master has the same workers, moved by one
def plan(master, workers):
    return [master + unit for unit in range(workers)]


def work(job, count):
    rng = random.Random(job)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% not-reproducible | visible: no | a fresh generator without a seed in every child
def plan(master, workers):
    return list(range(workers))


def work(job, count):
    rng = random.Random()
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% masters-meet | visible: yes | only the unit counts
def plan(master, workers):
    return list(range(workers))


def work(job, count):
    rng = random.Random(f"unit {job}")
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% masters-meet | visible: yes | master xor unit
def plan(master, workers):
    return [master ^ (unit << 4) for unit in range(workers)]


def work(job, count):
    rng = random.Random(job)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% copies | visible: yes | each worker starts further on in one stream
def plan(master, workers):
    return [(master, place) for place in range(workers)]


def work(job, count):
    master, place = job
    rng = random.Random(master)
    drawn = [rng.getrandbits(32) for _ in range((place + 1) * count)]
    return drawn[place * count:]


workers = (plan, work)

# %% too-narrow | visible: yes | the master draws a seed of 32 bits for each worker
def plan(master, workers):
    draw = random.Random(master)
    return [draw.randrange(2**32) for _ in range(workers)]


def work(job, count):
    rng = random.Random(job)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% masters-meet | visible: yes | the number of workers is part of the formula
def plan(master, workers):
    return [master * workers + place for place in range(workers)]


def work(job, count):
    rng = random.Random(job)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% masters-meet | visible: yes | master and worker in one number, with 64 bits between them
def plan(master, workers):
    return [master << 64 | unit for unit in range(workers)]


def work(job, count):
    rng = random.Random(job)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)
