# exercise: 02.3
# reason: forgets
# passes the visible example: yes
# story: the first get takes the value out
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
