# exercise: 01.4
# reason: lost-exception
# passes the visible example: yes
# story: catches the one kind of exception that came up in a trial
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
