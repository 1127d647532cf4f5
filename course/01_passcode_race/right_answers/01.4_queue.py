# exercise: 01.4
# mechanism: a queue of numbered requests; answers and errors come back through another
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
