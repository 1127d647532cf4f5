# exercise: 07.2
# mechanism: single places on demand, wherever one is free
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
