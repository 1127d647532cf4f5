# exercise: 01.4
# reason: wrong-order
# passes the visible example: no
# story: joins the shares of the workers one after the other
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    def work(first):
        return [check(c) for c in candidates[first::threads]]

    with ThreadPoolExecutor(threads) as pool:
        return [answer for part in pool.map(work, range(threads)) for answer in part]
