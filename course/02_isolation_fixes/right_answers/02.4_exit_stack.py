# exercise: 02.4
# mechanism: a callback on an exit stack
from contextlib import ExitStack

def request(mine, user, job):
    with ExitStack() as stack:
        stack.callback(restore, mine, mine.user if hasattr(mine, "user") else None)
        mine.user = user
        return job()

def restore(mine, user):
    mine.user = user
