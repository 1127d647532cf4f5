# exercise: 07.2
# reason: over-full
# passes the visible example: yes
# story: ending twice makes two free slots of one
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity, self.free, self.slot, self.last = capacity, list(range(num_slots)), {}, {}

    def start(self, request):
        if request in self.slot or not self.free:
            return False
        self.slot[request] = self.last[request] = self.free.pop(0)
        return True

    def place(self, request, position):
        if request not in self.slot or not 0 <= position < self.capacity:
            return None
        return self.slot[request] * self.capacity + position

    def finish(self, request):
        self.slot.pop(request, None)
        if request in self.last:
            self.free.append(self.last[request])
