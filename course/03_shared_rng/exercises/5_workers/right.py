"""Right answers to exercise 03.5, each by another mechanism."""

# %% each number a digest of master, unit and place
def plan(master, workers):
    return [f"{master}/{unit}" for unit in range(workers)]


def work(job, count):
    return [int.from_bytes(sha256(f"{job}/{k}".encode()).digest()[:4], "big") for k in range(count)]


workers = (plan, work)

# %% a generator in each job, each seeded apart
def plan(master, workers):
    return [random.Random(f"{master}:{unit}") for unit in range(workers)]


def work(job, count):
    return [job.randrange(2**32) for _ in range(count)]


workers = (plan, work)

# %% Philox keys
def plan(master, workers):
    return [(master << 64) + unit for unit in range(workers)]


def work(job, count):
    return np.random.Generator(np.random.Philox(key=job)).integers(2**32, size=count).tolist()


workers = (plan, work)

# %% the parent draws a seed for each worker
def plan(master, workers):
    rng = random.Random(f"parent {master}")
    return [rng.getrandbits(128) for _ in range(workers)]


def work(job, count):
    rng = random.Random(job)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% seeds the child's own module generator
def plan(master, workers):
    return [f"{master}/{unit}" for unit in range(workers)]


def work(job, count):
    random.seed(job)
    return [random.getrandbits(32) for _ in range(count)]


workers = (plan, work)

# %% numpy spawns a seed sequence for each worker
def plan(master, workers):
    return np.random.SeedSequence(master).spawn(workers)


def work(job, count):
    return np.random.default_rng(job).integers(2**32, size=count).tolist()


workers = (plan, work)
