# exercise: 01.4
# mechanism: a pool's map keeps the order and raises what a worker raised
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(check, candidates))
