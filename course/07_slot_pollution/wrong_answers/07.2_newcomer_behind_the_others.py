# exercise: 07.2
# reason: two-owners
# passes the visible example: yes
# story: a newcomer gets the slot with the number of those who run
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.num_slots, self.capacity, self.slot = num_slots, capacity, {}

    def start(self, request):
        if request in self.slot or len(self.slot) == self.num_slots:
            return False
        self.slot[request] = len(self.slot)
        return True

    def place(self, request, position):
        if request not in self.slot or not 0 <= position < self.capacity:
            return None
        return self.slot[request] * self.capacity + position

    def finish(self, request):
        self.slot.pop(request, None)
