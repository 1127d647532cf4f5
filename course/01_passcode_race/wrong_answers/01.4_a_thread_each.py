# exercise: 01.4
# reason: too-many-threads
# passes the visible example: no
# story: one thread for each request, whatever was asked for
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    futures = []
    for candidate in candidates:
        pool = ThreadPoolExecutor(1)
        futures.append(pool.submit(check, candidate))
        pool.shutdown(wait=False)
    return [future.result() for future in futures]
