# exercise: 02.3
# mechanism: one context variable for all stores, with a new dict at each put
from contextvars import ContextVar

VALUES = ContextVar("values", default={})

class TaskStore:
    def put(self, value):
        VALUES.set({**VALUES.get(), id(self): value})

    def get(self):
        return VALUES.get().get(id(self))
