# exercise: 07.2
# mechanism: places are numbers out of a tensor
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.places = torch.arange(num_slots * capacity).view(num_slots, capacity)
        self.free, self.slot = set(range(num_slots)), {}

    def start(self, request):
        if request in self.slot or not self.free:
            return False
        self.slot[request] = self.free.pop()
        return True

    def place(self, request, position):
        if request not in self.slot or not 0 <= position < self.places.shape[1]:
            return None
        return self.places[self.slot[request], position]

    def finish(self, request):
        if request in self.slot:
            self.free.add(self.slot.pop(request))
