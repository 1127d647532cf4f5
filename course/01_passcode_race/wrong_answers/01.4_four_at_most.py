# exercise: 01.4
# reason: one-by-one
# passes the visible example: yes
# story: four threads ought to be enough for everybody
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    with ThreadPoolExecutor(min(threads, 4)) as pool:
        return list(pool.map(check, candidates))
