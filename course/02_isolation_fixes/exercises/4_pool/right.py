"""Right answers to exercise 02.4, each by another mechanism."""

# %% a class with enter and exit
class Wearing:
    def __init__(self, mine, user):
        self.mine, self.user = mine, user

    def __enter__(self):
        self.before = getattr(self.mine, "user", None)
        self.mine.user = self.user

    def __exit__(self, *_):
        self.mine.user = self.before
        return False


def request(mine, user, job):
    with Wearing(mine, user):
        return job()

# %% a context manager that remembers the old value
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

# %% a callback on an exit stack
from contextlib import ExitStack

def request(mine, user, job):
    with ExitStack() as stack:
        stack.callback(restore, mine, mine.user if hasattr(mine, "user") else None)
        mine.user = user
        return job()

def restore(mine, user):
    mine.user = user

# %% getattr with a default
def request(mine, user, job):
    before = getattr(mine, "user", None)
    mine.user = user
    try:
        return job()
    finally:
        mine.user = before

# %% try and finally, the old value put back
def request(mine, user, job):
    try:
        before = mine.user
    except AttributeError:
        before = None
    mine.user = user
    try:
        return job()
    finally:
        mine.user = before

# %% a stack in the thread-local
def request(mine, user, job):
    if not hasattr(mine, "stack"):
        mine.stack = []
    mine.stack.append(getattr(mine, "user", None))
    mine.user = user
    try:
        return job()
    finally:
        mine.user = mine.stack.pop()

# %% an ExitStack calls setattr at the end
import contextlib


def request(mine, user, job):
    with contextlib.ExitStack() as ending:
        ending.callback(setattr, mine, "user", getattr(mine, "user", None))
        mine.user = user
        return job()

# %% lets unittest.mock exchange the attribute
from unittest import mock


def request(mine, user, job):
    with mock.patch.object(mine, "user", user, create=True):
        return job()
