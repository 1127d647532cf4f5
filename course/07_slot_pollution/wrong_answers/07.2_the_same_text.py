# exercise: 07.2
# reason: forgets-who-runs
# passes the visible example: yes
# story: compares names with `is`
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.owner, self.capacity = [None] * num_slots, capacity

    def slot(self, request):
        return next((slot for slot, owner in enumerate(self.owner) if owner is request), None)

    def start(self, request):
        free = self.slot(None)
        if free is None or self.slot(request) is not None:
            return False
        self.owner[free] = request
        return True

    def place(self, request, position):
        slot = self.slot(request)
        if slot is None or not 0 <= position < self.capacity:
            return None
        return slot * self.capacity + position

    def finish(self, request):
        slot = self.slot(request)
        if slot is not None:
            self.owner[slot] = None
