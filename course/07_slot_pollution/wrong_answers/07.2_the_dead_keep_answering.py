# exercise: 07.2
# reason: outlives-its-end
# passes the visible example: yes
# story: frees the slot and forgets to forget the request
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity, self.free, self.slot = capacity, list(range(num_slots)), {}

    def start(self, request):
        if request in self.slot or not self.free:
            return False
        self.slot[request] = self.free.pop(0)
        return True

    def place(self, request, position):
        if request not in self.slot or not 0 <= position < self.capacity:
            return None
        return self.slot[request] * self.capacity + position

    def finish(self, request):
        if request in self.slot:
            self.free.append(self.slot[request])
