# exercise: 03.5
# reason: copies
# passes the visible example: yes
# story: eight seeds, used again after that
def plan(master, workers):
    rng = random.Random(f"p{master}")
    seeds = [rng.getrandbits(64) for _ in range(8)]
    return [seeds[unit % 8] for unit in range(workers)]


def work(job, count):
    rng = random.Random(job)
    return [rng.getrandbits(32) for _ in range(count)]


workers = (plan, work)
