"""Right answers to exercise 02.6, each by another mechanism."""

# %% attrgetter, min and max
from operator import attrgetter


def transfer(source, target, amount):
    if source.number == target.number:
        return amount <= source.balance
    low = min(source, target, key=attrgetter("number"))
    high = max(source, target, key=attrgetter("number"))
    with low.lock, high.lock:
        if amount > source.balance:
            return False
        source.balance, target.balance = source.balance - amount, target.balance + amount
        return True

# %% the smaller number first
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = (source, target) if source.number < target.number else (target, source)
    with first.lock, second.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True

# %% an exit stack over the sorted distinct accounts
from contextlib import ExitStack


def transfer(source, target, amount):
    with ExitStack() as stack:
        for account in sorted({source, target}, key=lambda a: a.number):
            stack.enter_context(account.lock)
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True

# %% a context manager for two locks
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

# %% locks outside, booking in a function
def book(source, target, amount):
    if source.balance < amount:
        return False
    source.balance -= amount
    target.balance += amount
    return True


def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    if source.number < target.number:
        with source.lock:
            with target.lock:
                return book(source, target, amount)
    with target.lock:
        with source.lock:
            return book(source, target, amount)

# %% a list of locks, taken in a loop
def transfer(source, target, amount):
    locks = [account.lock for account in sorted({source, target}, key=lambda account: account.number)]
    for lock in locks:
        lock.acquire()
    try:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True
    finally:
        for lock in reversed(locks):
            lock.release()

# %% the smaller number first, with nested statements and one assignment
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = (target, source) if source.number > target.number else (source, target)
    with first.lock:
        with second.lock:
            if amount > source.balance:
                return False
            source.balance, target.balance = source.balance - amount, target.balance + amount
            return True

# %% calls itself the other way round with a negative amount
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    return move(source, target, amount) if source.number < target.number else move(target, source, -amount)


def move(low, high, amount):
    with low.lock, high.lock:
        if low.balance < amount or high.balance < -amount:
            return False
        low.balance -= amount
        high.balance += amount
        return True

# %% sorts the distinct accounts, and takes one lock or two
def number_of(account):
    return account.number

def transfer(source, target, amount):
    if source.number == target.number:
        with source.lock:
            return source.balance >= amount
    low, high = sorted([source, target], key=number_of)
    low.lock.acquire()
    high.lock.acquire()
    try:
        enough = source.balance >= amount
        if enough:
            source.balance = source.balance - amount
            target.balance = target.balance + amount
        return enough
    finally:
        high.lock.release()
        low.lock.release()
