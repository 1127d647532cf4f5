# exercise: 02.3
# reason: forgets
# passes the visible example: no
# story: a store that keeps nothing mixes nothing
class TaskStore:
    def put(self, value):
        pass

    def get(self):
        return None
