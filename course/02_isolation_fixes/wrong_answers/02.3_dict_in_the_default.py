# exercise: 02.3
# reason: sees-neighbour
# passes the visible example: yes
# story: a context variable whose default is one dict for all
from contextvars import ContextVar

class TaskStore:
    def __init__(self):
        self.values = ContextVar("values", default={})

    def put(self, value):
        self.values.get()["value"] = value

    def get(self):
        return self.values.get().get("value")
