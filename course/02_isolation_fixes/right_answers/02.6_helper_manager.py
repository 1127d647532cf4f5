# exercise: 02.6
# mechanism: a context manager for two locks
from contextlib import contextmanager


@contextmanager
def both(one, two):
    if one.number > two.number:
        one, two = two, one
    with one.lock:
        if one is two:
            yield
        else:
            with two.lock:
                yield


def transfer(source, target, amount):
    with both(source, target):
        enough = source.balance >= amount
        if enough:
            source.balance -= amount
            target.balance += amount
        return enough
