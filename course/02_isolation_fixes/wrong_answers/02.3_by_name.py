# exercise: 02.3
# reason: sees-neighbour
# passes the visible example: yes
# story: the task's name as its key: names can be the same
import asyncio


class TaskStore:
    def __init__(self):
        self.values = {}

    def put(self, value):
        self.values[asyncio.current_task().get_name()] = value

    def get(self):
        return self.values.get(asyncio.current_task().get_name())
