# exercise: 07.2
# mechanism: a list with the owner of each slot; the free ones are searched
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.owner, self.capacity = [None] * num_slots, capacity

    def start(self, request):
        if request in self.owner or None not in self.owner:
            return False
        self.owner[self.owner.index(None)] = request
        return True

    def place(self, request, position):
        if request not in self.owner or position not in range(self.capacity):
            return None
        return self.owner.index(request) * self.capacity + position

    def finish(self, request):
        if request in self.owner:
            self.owner[self.owner.index(request)] = None
