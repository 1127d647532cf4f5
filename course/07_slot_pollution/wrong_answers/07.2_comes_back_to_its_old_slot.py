# exercise: 07.2
# reason: two-owners
# passes the visible example: yes
# story: whoever comes back gets the slot it had
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity, self.free, self.slot, self.old = capacity, list(range(num_slots)), {}, {}

    def start(self, request):
        if request in self.slot or not self.free:
            return False
        slot = self.old.get(request, self.free[0])
        if slot in self.free:
            self.free.remove(slot)
        self.slot[request] = slot
        return True

    def place(self, request, position):
        if request not in self.slot or not 0 <= position < self.capacity:
            return None
        return self.slot[request] * self.capacity + position

    def finish(self, request):
        if request in self.slot:
            self.old[request] = self.slot.pop(request)
            self.free.append(self.old[request])
