# exercise: 01.4
# reason: other-exception
# passes the visible example: yes
# story: raises an error of its own, and the cause is lost
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(check, c) for c in candidates]
    if any(future.exception() for future in futures):
        raise RuntimeError("a worker failed")
    return [future.result() for future in futures]
