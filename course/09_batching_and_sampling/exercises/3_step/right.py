"""Right answers to exercise 09.3, each by another mechanism."""

# %% a number for each arrival, dictionaries by that number
class Scheduler:
    def __init__(self, places, patience):
        self.places, self.patience, self.count = places, patience, 0
        self.queue, self.active = {}, {}

    def add(self, name, tokens):
        self.queue[self.count] = {"name": name, "left": tokens, "overtaken": 0}
        self.count += 1

    def step(self):
        while self.queue and len(self.active) < self.places:
            chosen = min(self.queue, key=self.rank)
            for number, request in self.queue.items():
                request["overtaken"] += number < chosen
            self.active[chosen] = self.queue.pop(chosen)
        names = []
        for number, request in list(self.active.items()):
            names.append(request["name"])
            request["left"] -= 1
            if not request["left"]:
                del self.active[number]
        return names

    def rank(self, number):
        request = self.queue[number]
        if request["overtaken"] >= self.patience:
            return (0, number, 0)
        return (1, request["left"], number)

    def cancel(self, name):
        for book in (self.queue, self.active):
            for number, request in book.items():
                if request["name"] == name:
                    del book[number]
                    return True
        return False

# %% a log of admissions; how often somebody was overtaken is counted when it is asked
class Scheduler:
    def __init__(self, places, patience):
        self.places, self.patience = places, patience
        self.log, self.clock, self.waiting, self.running = [], 0, [], []

    def add(self, name, tokens):
        self.clock += 1
        self.waiting.append((self.clock, len(self.log), name, tokens))

    def overtaken(self, request):
        arrived, admissions_before, _, _ = request
        return sum(other > arrived for other in self.log[admissions_before:])

    def step(self):
        while self.waiting and len(self.running) < self.places:
            late = [one for one in self.waiting if self.overtaken(one) >= self.patience]
            new = late[0] if late else sorted(self.waiting, key=lambda one: one[3])[0]
            self.waiting.remove(new)
            self.log.append(new[0])
            self.running.append([new[2], new[3]])
        served = tuple(name for name, _ in self.running)
        self.running = [[name, left - 1] for name, left in self.running if left > 1]
        return served

    def cancel(self, name):
        count = len(self.waiting) + len(self.running)
        self.waiting = [one for one in self.waiting if one[2] != name]
        self.running = [one for one in self.running if one[0] != name]
        return len(self.waiting) + len(self.running) != count

# %% two queues, the patient and the urgent, and data classes
from dataclasses import dataclass

@dataclass(eq=False)
class Waiting:
    name: str
    tokens: int
    overtaken: int = 0

class Scheduler:
    def __init__(self, places, patience):
        self.places, self.patience = places, patience
        self.everybody, self.seats = [], []

    def add(self, name, tokens):
        self.everybody.append(Waiting(name, tokens))

    def next(self):
        for one in self.everybody:
            if one.overtaken >= self.patience:
                return one
        best = self.everybody[0]
        for one in self.everybody[1:]:
            if one.tokens < best.tokens:
                best = one
        return best

    def step(self):
        for _ in range(min(self.places - len(self.seats), len(self.everybody))):
            new = self.next()
            for one in self.everybody:
                if one is new:
                    break
                one.overtaken += 1
            self.everybody.remove(new)
            self.seats.append(new)
        result = []
        for one in self.seats:
            one.tokens -= 1
            result.append(one.name)
        self.seats = [one for one in self.seats if one.tokens]
        return result

    def cancel(self, name):
        found = [(book, one) for book in (self.everybody, self.seats) for one in book if one.name == name]
        for book, one in found:
            book.remove(one)
        return bool(found)

# %% a heap by length with entries that may be out of date, and a list by arrival
import heapq

class Scheduler:
    def __init__(self, places, patience):
        self.free, self.patience, self.serial = places, patience, 0
        self.heap, self.line, self.table, self.overtaken = [], [], {}, {}
        self.on = {}

    def add(self, name, tokens):
        self.serial += 1
        self.table[self.serial] = (name, tokens)
        self.overtaken[self.serial] = 0
        self.line.append(self.serial)
        heapq.heappush(self.heap, (tokens, self.serial))

    def step(self):
        while self.free and self.line:
            new = next((one for one in self.line if self.overtaken[one] >= self.patience), None)
            while new is None:
                _, candidate = heapq.heappop(self.heap)
                new = candidate if candidate in self.overtaken else None
            for one in self.line[: self.line.index(new)]:
                self.overtaken[one] += 1
            self.line.remove(new)
            del self.overtaken[new]
            self.on[new] = self.table[new][1]
            self.free -= 1
        names = [self.table[one][0] for one in self.on]
        self.on = {one: left - 1 for one, left in self.on.items()}
        for one in [one for one, left in self.on.items() if left == 0]:
            del self.on[one], self.table[one]
            self.free += 1
        return names

    def cancel(self, name):
        for one, (mine, _) in self.table.items():
            if mine == name:
                del self.table[one]
                if one in self.on:
                    del self.on[one]
                    self.free += 1
                else:
                    self.line.remove(one)
                    del self.overtaken[one]
                return True
        return False

# %% only the head of the queue can be without patience, for it was overtaken most
class Scheduler:
    def __init__(self, places, patience):
        self.places, self.patience = places, patience
        self.waiting, self.running = [], []
    def add(self, name, tokens):
        self.waiting.append([name, tokens, 0])
    def step(self):
        while self.waiting and len(self.running) < self.places:
            self.admit()
        for request in self.running:
            request[1] -= 1
        served = [name for name, *_ in self.running]
        self.running = [request for request in self.running if request[1] > 0]
        return served
    def admit(self):
        urgent = self.waiting[:1] if self.waiting[0][2] >= self.patience else []
        new = urgent[0] if urgent else min(self.waiting, key=lambda request: request[1])
        place = self.waiting.index(new)
        for earlier in self.waiting[:place]:
            earlier[2] += 1
        self.running.append(self.waiting.pop(place))
    def cancel(self, name):
        for requests in (self.waiting, self.running):
            for request in requests:
                if request[0] == name:
                    requests.remove(request)
                    return True
        return False
