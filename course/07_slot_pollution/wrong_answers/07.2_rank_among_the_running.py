# exercise: 07.2
# reason: moved
# passes the visible example: yes
# story: counts who runs before it: offsets in other words
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.num_slots, self.capacity, self.running = num_slots, capacity, []

    def start(self, request):
        if request in self.running or len(self.running) == self.num_slots:
            return False
        self.running.append(request)
        return True

    def place(self, request, position):
        if request not in self.running or not 0 <= position < self.capacity:
            return None
        return self.running.index(request) * self.capacity + position

    def finish(self, request):
        if request in self.running:
            self.running.remove(request)
