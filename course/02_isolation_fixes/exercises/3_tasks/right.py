"""Right answers to exercise 02.3, each by another mechanism."""

# %% a dict with the current task as its key
import asyncio

class TaskStore:
    def __init__(self):
        self.values = {}

    def put(self, value):
        self.values[asyncio.current_task()] = value

    def get(self):
        return self.values.get(asyncio.current_task())

# %% a dict by task, which forgets a task when it is done
import asyncio


class TaskStore:
    def __init__(self):
        self.values = {}

    def put(self, value):
        task = asyncio.current_task()
        if task not in self.values:
            task.add_done_callback(lambda done: self.values.pop(done, None))
        self.values[task] = value

    def get(self):
        return self.values.get(asyncio.current_task())

# %% a context variable for each store
from contextvars import ContextVar

class TaskStore:
    def __init__(self):
        self.value = ContextVar("value", default=None)

    def put(self, value):
        self.value.set(value)

    def get(self):
        return self.value.get()

# %% no default, and LookupError caught
import contextvars


class TaskStore:
    def __init__(self):
        self._var = contextvars.ContextVar("task store")

    def put(self, value):
        self._var.set(value)

    def get(self):
        try:
            return self._var.get()
        except LookupError:
            return None

# %% one context variable for all stores, with a new dict of stores at each put
from contextvars import ContextVar

VALUES = ContextVar("values", default=())

class TaskStore:
    def put(self, value):
        VALUES.set((*((store, old) for store, old in VALUES.get() if store is not self), (self, value)))

    def get(self):
        return next((value for store, value in VALUES.get() if store is self), None)

# %% an attribute on the task
import asyncio


class TaskStore:
    def put(self, value):
        task = asyncio.current_task()
        if not hasattr(task, "values"):
            task.values = {}
        task.values[self] = value

    def get(self):
        return getattr(asyncio.current_task(), "values", {}).get(self)

# %% a weak dict by task
import asyncio
from weakref import WeakKeyDictionary


class TaskStore:
    def __init__(self):
        self.values = WeakKeyDictionary()

    def put(self, value):
        self.values[asyncio.current_task()] = value

    def get(self):
        return self.values.get(asyncio.current_task())
