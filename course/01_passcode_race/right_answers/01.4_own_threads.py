# exercise: 01.4
# mechanism: threads with a slot for each answer, and a list for what went wrong
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
