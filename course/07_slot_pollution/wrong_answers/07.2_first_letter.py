# exercise: 07.2
# reason: outlives-its-end
# passes the visible example: yes
# story: the first letter is enough of a name
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity, self.free, self.slot = capacity, list(range(num_slots)), {}

    def start(self, request):
        if request[0] in self.slot or not self.free:
            return False
        self.slot[request[0]] = self.free.pop()
        return True

    def place(self, request, position):
        if request[0] not in self.slot or not 0 <= position < self.capacity:
            return None
        return self.slot[request[0]] * self.capacity + position

    def finish(self, request):
        if request[0] in self.slot:
            self.free.append(self.slot.pop(request[0]))
