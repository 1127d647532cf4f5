# exercise: 02.3
# reason: sees-neighbour
# passes the visible example: yes
# story: the thread's number as its key
import threading


class TaskStore:
    def __init__(self):
        self.values = {}

    def put(self, value):
        self.values[threading.get_ident()] = value

    def get(self):
        return self.values.get(threading.get_ident())
