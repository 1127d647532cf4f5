# exercise: 03.5
# mechanism: each number a digest of master, unit and place
def plan(master, workers):
    return [f"{master}/{unit}" for unit in range(workers)]


def work(job, count):
    return [int.from_bytes(sha256(f"{job}/{k}".encode()).digest()[:4], "big") for k in range(count)]


workers = (plan, work)
