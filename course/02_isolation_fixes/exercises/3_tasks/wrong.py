"""Wrong answers to exercise 02.3: why each is rejected, whether it passes the lab's example, its story."""

# %% value-changed | visible: yes | keeps the text of a value
from contextvars import ContextVar


class TaskStore:
    def __init__(self):
        self.value = ContextVar("value", default=None)

    def put(self, value):
        self.value.set(str(value))

    def get(self):
        return self.value.get()

# %% sees-neighbour | visible: yes | one attribute for everybody
class TaskStore:
    value = None

    def put(self, value):
        self.value = value

    def get(self):
        return self.value

# %% outlives-its-task | visible: yes | the task's id as its key: a later task may have the same
import asyncio


class TaskStore:
    def __init__(self):
        self.values = {}

    def put(self, value):
        self.values[id(asyncio.current_task())] = value

    def get(self):
        return self.values.get(id(asyncio.current_task()))

# %% sees-neighbour | visible: yes | the task's name as its key: names can be the same
import asyncio


class TaskStore:
    def __init__(self):
        self.values = {}

    def put(self, value):
        self.values[asyncio.current_task().get_name()] = value

    def get(self):
        return self.values.get(asyncio.current_task().get_name())

# %% sees-neighbour | visible: yes | the thread's number as its key
import threading


class TaskStore:
    def __init__(self):
        self.values = {}

    def put(self, value):
        self.values[threading.get_ident()] = value

    def get(self):
        return self.values.get(threading.get_ident())

# %% sees-neighbour | visible: yes | a context variable whose default is one dict for all
from contextvars import ContextVar

class TaskStore:
    def __init__(self):
        self.values = ContextVar("values", default={})

    def put(self, value):
        self.values.get()["value"] = value

    def get(self):
        return self.values.get().get("value")

# %% not-empty | visible: yes | gives a task without a value the last one that anybody put
from contextvars import ContextVar

class TaskStore:
    def __init__(self):
        self.value, self.last = ContextVar("value", default=None), None

    def put(self, value):
        self.value.set(value)
        self.last = value

    def get(self):
        mine = self.value.get()
        return self.last if mine is None else mine

# %% keeps-the-first | visible: yes | keeps the first value of a task for ever
from contextvars import ContextVar

class TaskStore:
    def __init__(self):
        self.value = ContextVar("value", default=None)

    def put(self, value):
        if self.value.get() is None:
            self.value.set(value)

    def get(self):
        return self.value.get()

# %% forgets | visible: no | a store that keeps nothing mixes nothing
class TaskStore:
    def put(self, value):
        pass

    def get(self):
        return None

# %% stores-mix | visible: yes | a context variable of the class, so all stores are one
from contextvars import ContextVar

class TaskStore:
    value = ContextVar("value", default=None)

    def put(self, value):
        self.value.set(value)

    def get(self):
        return self.value.get()

# %% value-changed | visible: yes | an empty value comes back as None
from contextvars import ContextVar


class TaskStore:
    def __init__(self):
        self.value = ContextVar("value", default=None)

    def put(self, value):
        self.value.set(value)

    def get(self):
        return self.value.get() or None

# %% forgets | visible: yes | the first get takes the value out
from contextvars import ContextVar

class TaskStore:
    def __init__(self):
        self.value = ContextVar("value", default=None)

    def put(self, value):
        self.value.set(value)

    def get(self):
        found = self.value.get()
        self.value.set(None)
        return found

# %% sees-neighbour | visible: yes | the grain of threads, in a program that has one
import threading

class TaskStore:
    def __init__(self):
        self.mine = threading.local()

    def put(self, value):
        self.mine.value = value

    def get(self):
        try:
            return self.mine.value
        except AttributeError:
            return None

# %% keeps-state | visible: yes | one context variable for all stores, a dict by id inside
from contextvars import ContextVar

everything = ContextVar("everything")


class TaskStore:
    def put(self, value):
        everything.set({**everything.get({}), id(self): value})

    def get(self):
        return everything.get({}).get(id(self))

# %% keeps-state | visible: yes | a context variable for each number of a store, kept for the next of that number
from contextvars import ContextVar

known = {}


class TaskStore:
    def __init__(self):
        self.value = known.setdefault(id(self), ContextVar("value", default=None))

    def put(self, value):
        self.value.set(value)

    def get(self):
        return self.value.get()
