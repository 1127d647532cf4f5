# exercise: 02.4
# mechanism: a context manager that remembers the old value
from contextlib import contextmanager

@contextmanager
def user_of(mine, user):
    before = mine.user if hasattr(mine, "user") else None
    mine.user = user
    try:
        yield
    finally:
        mine.user = before

def request(mine, user, job):
    with user_of(mine, user):
        return job()
