# exercise: 02.3
# reason: sees-neighbour
# passes the visible example: yes
# story: the grain of threads, in a program that has one
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
