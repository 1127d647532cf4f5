"""Wrong answers to exercise 07.2: why each is rejected, whether it passes the lab's example, its story."""

# %% two-owners | visible: yes | the slot follows from the name
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

# %% moved | visible: yes | the last one moves into the gap, to keep the pool compact
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity, self.free, self.slot, self.size = capacity, list(range(num_slots)), {}, num_slots

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
            gap, last = self.slot.pop(request), len(self.slot)
            for other, slot in self.slot.items():
                if slot == last:
                    self.slot[other] = gap
            self.free = list(range(len(self.slot), self.size))

# %% two-owners | visible: yes | whoever comes back gets the slot it had
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

# %% out-of-range | visible: no | a negative position counts from the end
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity, self.free, self.slot = capacity, list(range(num_slots)), {}

    def start(self, request):
        if request in self.slot or not self.free:
            return False
        self.slot[request] = self.free.pop(0)
        return True

    def place(self, request, position):
        if request not in self.slot or position >= self.capacity:
            return None
        return self.slot[request] * self.capacity + position

    def finish(self, request):
        if request in self.slot:
            self.free.append(self.slot.pop(request))

# %% over-full | visible: yes | makes room by throwing the oldest out
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity, self.free, self.slot = capacity, list(range(num_slots)), {}

    def start(self, request):
        if request in self.slot:
            return False
        if not self.free:
            self.finish(next(iter(self.slot)))
        self.slot[request] = self.free.pop(0)
        return True

    def place(self, request, position):
        if request not in self.slot or not 0 <= position < self.capacity:
            return None
        return self.slot[request] * self.capacity + position

    def finish(self, request):
        if request in self.slot:
            self.free.append(self.slot.pop(request))

# %% outlives-its-end | visible: yes | the first letter is enough of a name
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity, self.free, self.slot = capacity, list(range(num_slots)), {}

    def start(self, request):
        if request[0] in self.slot or not self.free:
            return False
        self.slot[request[0]] = self.free.pop()
        return True

    def place(self, request, position):
        if request[0] not in self.slot or not 0 <= position < self.capacity:
            return None
        return self.slot[request[0]] * self.capacity + position

    def finish(self, request):
        if request[0] in self.slot:
            self.free.append(self.slot.pop(request[0]))

# %% over-full | visible: yes | ending twice makes two free slots of one
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity, self.free, self.slot, self.last = capacity, list(range(num_slots)), {}, {}

    def start(self, request):
        if request in self.slot or not self.free:
            return False
        self.slot[request] = self.last[request] = self.free.pop(0)
        return True

    def place(self, request, position):
        if request not in self.slot or not 0 <= position < self.capacity:
            return None
        return self.slot[request] * self.capacity + position

    def finish(self, request):
        self.slot.pop(request, None)
        if request in self.last:
            self.free.append(self.last[request])

# %% out-of-range | visible: no | any position will do
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity, self.free, self.slot = capacity, list(range(num_slots)), {}

    def start(self, request):
        if request in self.slot or not self.free:
            return False
        self.slot[request] = self.free.pop(0)
        return True

    def place(self, request, position):
        if request not in self.slot or position < 0:
            return None
        return self.slot[request] * self.capacity + position

    def finish(self, request):
        if request in self.slot:
            self.free.append(self.slot.pop(request))

# %% refuses | visible: yes | a slot is used once and never again
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
            self.slot.pop(request)

# %% two-owners | visible: yes | a newcomer gets the slot with the number of those who run
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

# %% shared-maps | visible: yes | the dict stands in the class: all maps share it
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

# %% moved | visible: yes | counts who runs before it: offsets in other words
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

# %% started-twice | visible: yes | whoever starts again gets another slot
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity, self.free, self.slot = capacity, list(range(num_slots)), {}

    def start(self, request):
        if not self.free:
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

# %% wrong-type | visible: no | start works and returns nothing
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity, self.free, self.slot = capacity, list(range(num_slots)), {}

    def start(self, request):
        if request in self.slot or not self.free:
            return False
        self.slot[request] = self.free.pop(0)

    def place(self, request, position):
        if request not in self.slot or not 0 <= position < self.capacity:
            return None
        return self.slot[request] * self.capacity + position

    def finish(self, request):
        if request in self.slot:
            self.free.append(self.slot.pop(request))

# %% outlives-its-end | visible: yes | frees the slot and forgets to forget the request
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
            self.free.append(self.slot[request])

# %% forgets-who-runs | visible: yes | compares names with `is`
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

# %% forgets-who-runs | visible: yes | asks `if not request`: number 0 is a request as well
class SlotMap:
    def __init__(self, num_slots, capacity):
        self.capacity = capacity
        self.who = [None] * num_slots
    def start(self, request):
        if request in self.who or None not in self.who:
            return False
        self.who[self.who.index(None)] = request
        return True
    def place(self, request, position):
        if not request or request not in self.who or not 0 <= position < self.capacity:
            return None
        return self.who.index(request) * self.capacity + position
    def finish(self, request):
        if request in self.who:
            self.who[self.who.index(request)] = None

# %% keeps-state | visible: yes | the capacity stands in the class, and is that of the newest map
class SlotMap:
    capacity = 0
    def __init__(self, num_slots, capacity):
        SlotMap.capacity = capacity
        self.free, self.slot = list(range(num_slots)), {}
    def start(self, request):
        if request in self.slot or not self.free:
            return False
        self.slot[request] = self.free.pop()
        return True
    def place(self, request, position):
        if request not in self.slot or not 0 <= position < SlotMap.capacity:
            return None
        return self.slot[request] * SlotMap.capacity + position
    def finish(self, request):
        if request in self.slot:
            self.free.append(self.slot.pop(request))
