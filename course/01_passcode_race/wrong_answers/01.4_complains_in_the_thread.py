# exercise: 01.4
# reason: prints-in-threads
# passes the visible example: yes
# story: reports the error on standard error, in the thread, and passes it on as well
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
