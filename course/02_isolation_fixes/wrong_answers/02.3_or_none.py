# exercise: 02.3
# reason: value-changed
# passes the visible example: yes
# story: an empty value comes back as None
from contextvars import ContextVar


class TaskStore:
    def __init__(self):
        self.value = ContextVar("value", default=None)

    def put(self, value):
        self.value.set(value)

    def get(self):
        return self.value.get() or None
