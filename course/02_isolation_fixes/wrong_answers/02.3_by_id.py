# exercise: 02.3
# reason: outlives-its-task
# passes the visible example: yes
# story: the task's id as its key: a later task may have the same
import asyncio


class TaskStore:
    def __init__(self):
        self.values = {}

    def put(self, value):
        self.values[id(asyncio.current_task())] = value

    def get(self):
        return self.values.get(id(asyncio.current_task()))
