# exercise: 01.4
# reason: other-exception
# passes the visible example: yes
# story: turns every exception into a ValueError with the same text
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    with ThreadPoolExecutor(threads) as pool:
        try:
            return list(pool.map(check, candidates))
        except Exception as problem:
            raise ValueError(str(problem)) from None
