# exercise: 01.4
# reason: lost-exception
# passes the visible example: yes
# story: an except that turns an error into a refusal
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    def work(candidate):
        try:
            return check(candidate)
        except Exception:
            return False

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, candidates))
