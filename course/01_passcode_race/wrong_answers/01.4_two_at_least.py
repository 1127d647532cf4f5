# exercise: 01.4
# reason: too-many-threads
# passes the visible example: yes
# story: one thread is no race, so it takes two
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    with ThreadPoolExecutor(max(threads, 2)) as pool:
        return list(pool.map(check, candidates))
