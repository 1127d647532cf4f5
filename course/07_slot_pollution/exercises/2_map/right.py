"""Right answers to exercise 07.2, each by another mechanism."""

# %% a list of free slots and a dict
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
            self.free.append(self.slot.pop(request))

# %% places are numbers out of a tensor
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

# %% a list with the owner of each slot; the free ones are searched
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

# %% single places on demand, wherever one is free
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.num_slots, self.capacity = num_slots, capacity
        self.free, self.table = list(range(num_slots * capacity)), {}

    def start(self, request):
        if request in self.table or len(self.table) == self.num_slots:
            return False
        self.table[request] = {}
        return True

    def place(self, request, position):
        if request not in self.table or not 0 <= position < self.capacity:
            return None
        mine = self.table[request]
        if position not in mine:
            mine[position] = self.free.pop()
        return mine[position]

    def finish(self, request):
        self.free.extend(self.table.pop(request, {}).values())
