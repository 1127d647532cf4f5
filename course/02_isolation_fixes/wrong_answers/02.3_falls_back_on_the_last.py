# exercise: 02.3
# reason: not-empty
# passes the visible example: yes
# story: gives a task without a value the last one that anybody put
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
