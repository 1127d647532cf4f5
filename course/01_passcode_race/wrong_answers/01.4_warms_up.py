# exercise: 01.4
# reason: other-requests
# passes the visible example: no
# story: sends a request of its own first, to warm up, and measures one more than it was given
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    with ThreadPoolExecutor(threads) as pool:
        pool.submit(check, "warm-up").result()
        return list(pool.map(check, candidates))
