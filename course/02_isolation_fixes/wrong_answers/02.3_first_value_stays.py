# exercise: 02.3
# reason: keeps-the-first
# passes the visible example: yes
# story: keeps the first value of a task for ever
from contextvars import ContextVar

class TaskStore:
    def __init__(self):
        self.value = ContextVar("value", default=None)

    def put(self, value):
        if self.value.get() is None:
            self.value.set(value)

    def get(self):
        return self.value.get()
