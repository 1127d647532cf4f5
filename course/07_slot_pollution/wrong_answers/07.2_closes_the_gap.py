# exercise: 07.2
# reason: moved
# passes the visible example: yes
# story: the last one moves into the gap, to keep the pool compact
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity, self.free, self.slot, self.size = capacity, list(range(num_slots)), {}, num_slots

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
            gap, last = self.slot.pop(request), len(self.slot)
            for other, slot in self.slot.items():
                if slot == last:
                    self.slot[other] = gap
            self.free = list(range(len(self.slot), self.size))
