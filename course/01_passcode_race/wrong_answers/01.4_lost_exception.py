# exercise: 01.4
# reason: lost-exception
# passes the visible example: yes
# story: plain threads: an exception ends the thread, and nobody hears of it
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
