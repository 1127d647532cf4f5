"""Right answers to exercise 01.4, each by another mechanism."""

# %% threads with a slot for each answer, and a list for what went wrong
from threading import Thread


def measure(check, candidates, threads):
    answers, problems = [None] * len(candidates), []

    def work(first):
        try:
            for i in range(first, len(candidates), threads):
                answers[i] = check(candidates[i])
        except BaseException as problem:
            problems.append(problem)

    workers = [Thread(target=work, args=(first,)) for first in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if problems:
        raise problems[0]
    return answers

# %% a pool's map keeps the order and raises what a worker raised
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(check, candidates))

# %% a queue of numbered requests; answers and errors come back through another
from queue import Empty, SimpleQueue
from threading import Thread


def measure(check, candidates, threads):
    todo, done = SimpleQueue(), SimpleQueue()
    for item in enumerate(candidates):
        todo.put(item)

    def work():
        while True:
            try:
                number, candidate = todo.get_nowait()
            except Empty:
                return
            try:
                done.put((number, check(candidate), None))
            except Exception as problem:
                done.put((number, None, problem))

    workers = [Thread(target=work) for _ in range(threads)]
    for worker in workers:
        worker.start()
    answers = {}
    for _ in candidates:
        number, answer, problem = done.get()
        if problem is not None:
            raise problem
        answers[number] = answer
    return [answers[number] for number in range(len(candidates))]

# %% an event loop in a thread of its own hands the work to a pool
import asyncio
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    async def everything():
        with ThreadPoolExecutor(threads) as pool:
            loop = asyncio.get_running_loop()
            return await asyncio.gather(*[loop.run_in_executor(pool, check, word) for word in candidates])

    with ThreadPoolExecutor(1) as aside:
        return aside.submit(lambda: list(asyncio.run(everything()))).result()

# %% threads share one iterator under a lock; a context manager starts and joins them
import itertools
import threading
from contextlib import contextmanager


@contextmanager
def team(size, target):
    threads = [threading.Thread(target=target) for _ in range(size)]
    for one in threads:
        one.start()
    try:
        yield
    finally:
        for one in threads:
            one.join()


def measure(check, candidates, threads):
    jobs, gate, found, trouble = zip(itertools.count(), candidates), threading.Lock(), {}, []

    def work():
        while not trouble:
            with gate:
                place, word = next(jobs, (None, None))
            if place is None:
                return
            try:
                found[place] = check(word)
            except Exception as problem:
                trouble.append(problem)

    with team(threads, work):
        pass
    if trouble:
        raise trouble[0]
    return [found[place] for place in range(len(found))]
