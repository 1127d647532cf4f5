# exercise: 02.3
# reason: sees-neighbour
# passes the visible example: yes
# story: one attribute for everybody
class TaskStore:
    value = None

    def put(self, value):
        self.value = value

    def get(self):
        return self.value
