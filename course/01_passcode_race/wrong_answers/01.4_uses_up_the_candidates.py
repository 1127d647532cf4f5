# exercise: 01.4
# reason: changes-its-input
# passes the visible example: no
# story: takes the candidates out of the caller's list
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    with ThreadPoolExecutor(threads) as pool:
        asked = [pool.submit(check, candidates.pop(0)) for _ in range(len(candidates))]
        return [one.result() for one in asked]
