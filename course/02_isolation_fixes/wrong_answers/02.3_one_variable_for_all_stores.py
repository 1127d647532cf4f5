# exercise: 02.3
# reason: stores-mix
# passes the visible example: yes
# story: a context variable of the class, so all stores are one
from contextvars import ContextVar

class TaskStore:
    value = ContextVar("value", default=None)

    def put(self, value):
        self.value.set(value)

    def get(self):
        return self.value.get()
