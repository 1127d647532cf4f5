# exercise: 07.2
# reason: shared-maps
# passes the visible example: yes
# story: the dict stands in the class: all maps share it
class SlotMap:
    slot = dict()  # noqa: C408, RUF012

    def __init__(self, num_slots, capacity):
        self.num_slots, self.capacity = num_slots, capacity
        self.mine = set()

    def start(self, request):
        taken = {self.slot[each] for each in self.mine}
        free = [slot for slot in range(self.num_slots) if slot not in taken]
        if request in self.mine or not free:
            return False
        self.mine.add(request)
        self.slot[request] = free[0]
        return True

    def place(self, request, position):
        if request not in self.mine or not 0 <= position < self.capacity:
            return None
        return self.slot[request] * self.capacity + position

    def finish(self, request):
        self.mine.discard(request)
