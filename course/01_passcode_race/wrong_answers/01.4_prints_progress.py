# exercise: 01.4
# reason: prints-in-threads
# passes the visible example: no
# story: prints each answer from inside the worker
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    def work(candidate):
        answer = check(candidate)
        print(candidate, answer)
        return answer

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, candidates))
