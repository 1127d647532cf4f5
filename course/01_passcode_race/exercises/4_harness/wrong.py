"""Wrong answers to exercise 01.4: why each is rejected, whether it passes the lab's example, its story."""

# %% too-many-threads | visible: no | one thread for each request, whatever was asked for
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    futures = []
    for candidate in candidates:
        pool = ThreadPoolExecutor(1)
        futures.append(pool.submit(check, candidate))
        pool.shutdown(wait=False)
    return [future.result() for future in futures]

# %% prints-in-threads | visible: yes | reports the error on standard error, in the thread, and passes it on as well
import traceback
from threading import Thread


def measure(check, candidates, threads):
    answers, problems = [None] * len(candidates), []

    def work(first):
        for i in range(first, len(candidates), threads):
            try:
                answers[i] = check(candidates[i])
            except Exception as problem:
                traceback.print_exc()
                problems.append(problem)

    workers = [Thread(target=work, args=(first,)) for first in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if problems:
        raise problems[0]
    return answers

# %% lost-answers | visible: no | divides the requests evenly and drops the rest
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    share = len(candidates) // threads

    def work(k):
        return [check(c) for c in candidates[k * share:(k + 1) * share]]

    with ThreadPoolExecutor(threads) as pool:
        return [answer for part in pool.map(work, range(threads)) for answer in part]

# %% one-by-one | visible: yes | four threads ought to be enough for everybody
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    with ThreadPoolExecutor(min(threads, 4)) as pool:
        return list(pool.map(check, candidates))

# %% lost-exception | visible: yes | plain threads: an exception ends the thread, and nobody hears of it
from threading import Thread


def measure(check, candidates, threads):
    answers = [False] * len(candidates)

    def work(first):
        for i in range(first, len(candidates), threads):
            answers[i] = check(candidates[i])

    workers = [Thread(target=work, args=(first,)) for first in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return answers

# %% one-by-one | visible: yes | a loop, without any thread: measures no race at all
def measure(check, candidates, threads):
    return [check(candidate) for candidate in candidates]

# %% lost-exception | visible: yes | catches the one kind of exception that came up in a trial
from threading import Thread


def measure(check, candidates, threads):
    answers, problems = [None] * len(candidates), []

    def work(first):
        for i in range(first, len(candidates), threads):
            try:
                answers[i] = check(candidates[i])
            except ValueError as problem:
                problems.append(problem)

    workers = [Thread(target=work, args=(first,)) for first in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if problems:
        raise problems[0]
    return answers

# %% prints-in-threads | visible: no | prints each answer from inside the worker
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    def work(candidate):
        answer = check(candidate)
        print(candidate, answer)
        return answer

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, candidates))

# %% other-exception | visible: yes | turns every exception into a ValueError with the same text
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    with ThreadPoolExecutor(threads) as pool:
        try:
            return list(pool.map(check, candidates))
        except Exception as problem:
            raise ValueError(str(problem)) from None

# %% wrong-order | visible: no | joins the shares of the workers one after the other
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    def work(first):
        return [check(c) for c in candidates[first::threads]]

    with ThreadPoolExecutor(threads) as pool:
        return [answer for part in pool.map(work, range(threads)) for answer in part]

# %% lost-exception | visible: yes | an except that turns an error into a refusal
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    def work(candidate):
        try:
            return check(candidate)
        except Exception:
            return False

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, candidates))

# %% too-many-threads | visible: yes | one thread is no race, so it takes two
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    with ThreadPoolExecutor(max(threads, 2)) as pool:
        return list(pool.map(check, candidates))

# %% changes-its-input | visible: no | takes the candidates out of the caller's list
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    with ThreadPoolExecutor(threads) as pool:
        asked = [pool.submit(check, candidates.pop(0)) for _ in range(len(candidates))]
        return [one.result() for one in asked]

# %% other-requests | visible: no | sends a request of its own first, to warm up, and measures one more than it was given
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    with ThreadPoolExecutor(threads) as pool:
        pool.submit(check, "warm-up").result()
        return list(pool.map(check, candidates))

# %% other-exception | visible: yes | raises an error of its own, and the cause is lost
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(check, c) for c in candidates]
    if any(future.exception() for future in futures):
        raise RuntimeError("a worker failed")
    return [future.result() for future in futures]

# %% answers-by-candidate | visible: yes | keeps the answers in a dict under the candidate
import threading


def measure(check, candidates, threads):
    found, trouble = {}, []

    def work(mine):
        for word in mine:
            try:
                found[word] = check(word)
            except Exception as problem:
                trouble.append(problem)

    team = [threading.Thread(target=work, args=(candidates[start::threads],)) for start in range(threads)]
    for one in team:
        one.start()
    for one in team:
        one.join()
    if trouble:
        raise trouble[0]
    return [found[word] for word in candidates]

# %% other-requests | visible: no | asks for each different candidate once
from concurrent.futures import ThreadPoolExecutor


def measure(check, candidates, threads):
    with ThreadPoolExecutor(threads) as pool:
        asked = {}
        for word in candidates:
            if word not in asked:
                asked[word] = pool.submit(check, word)
        return [asked[word].result() for word in candidates]

# %% keeps-state | visible: yes | one measurement for each checker and list, found again by their ids
from concurrent.futures import ThreadPoolExecutor

MEASURED = {}


def measure(check, candidates, threads):
    key = id(check), id(candidates)
    if key not in MEASURED:
        with ThreadPoolExecutor(threads) as pool:
            MEASURED[key] = check, candidates, list(pool.map(check, candidates))
    return list(MEASURED[key][2])
