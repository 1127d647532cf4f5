# exercise: 01.4
# reason: lost-answers
# passes the visible example: no
# story: divides the requests evenly and drops the rest
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    share = len(candidates) // threads

    def work(k):
        return [check(c) for c in candidates[k * share:(k + 1) * share]]

    with ThreadPoolExecutor(threads) as pool:
        return [answer for part in pool.map(work, range(threads)) for answer in part]
