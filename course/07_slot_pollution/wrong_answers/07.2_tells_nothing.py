# exercise: 07.2
# reason: wrong-type
# passes the visible example: no
# story: start works and returns nothing
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity, self.free, self.slot = capacity, list(range(num_slots)), {}

    def start(self, request):
        if request in self.slot or not self.free:
            return False
        self.slot[request] = self.free.pop(0)

    def place(self, request, position):
        if request not in self.slot or not 0 <= position < self.capacity:
            return None
        return self.slot[request] * self.capacity + position

    def finish(self, request):
        if request in self.slot:
            self.free.append(self.slot.pop(request))
