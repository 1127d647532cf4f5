"""Wrong answers to exercise 09.3: why each is rejected, whether it passes the lab's example, its story."""

# %% static | visible: yes | fills the batch only when it is empty
class Scheduler:
    def __init__(self, places, patience):
        self.places, self.patience = places, patience
        self.waiting, self.running = [], []

    def add(self, name, tokens):
        self.waiting.append([name, tokens, 0])

    def step(self):
        if not self.running:
            while self.waiting and len(self.running) < self.places:
                self.admit()
        for request in self.running:
            request[1] -= 1
        served = [name for name, *_ in self.running]
        self.running = [request for request in self.running if request[1] > 0]
        return served

    def admit(self):
        urgent = [request for request in self.waiting if request[2] >= self.patience]
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

# %% wrong-step | visible: no | decodes first and admits at the end of the step
class Scheduler:
    def __init__(self, places, patience):
        self.places, self.patience = places, patience
        self.waiting, self.running = [], []

    def add(self, name, tokens):
        self.waiting.append([name, tokens, 0])

    def step(self):
        for request in self.running:
            request[1] -= 1
        served = [name for name, *_ in self.running]
        self.running = [request for request in self.running if request[1] > 0]
        while self.waiting and len(self.running) < self.places:
            self.admit()
        return served

    def admit(self):
        urgent = [request for request in self.waiting if request[2] >= self.patience]
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

# %% wrong-step | visible: no | removes from the list over which it walks
class Scheduler:
    def __init__(self, places, patience):
        self.places, self.patience = places, patience
        self.waiting, self.running = [], []

    def add(self, name, tokens):
        self.waiting.append([name, tokens, 0])

    def step(self):
        while self.waiting and len(self.running) < self.places:
            self.admit()
        served = [name for name, *_ in self.running]
        for request in self.running:
            request[1] -= 1
            if request[1] == 0:
                self.running.remove(request)
        return served

    def admit(self):
        urgent = [request for request in self.waiting if request[2] >= self.patience]
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

# %% starves | visible: yes | shortest first, and nothing else
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
        new = min(self.waiting, key=lambda request: request[1])
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

# %% patience | visible: yes | one more than the patience
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
        urgent = [request for request in self.waiting if request[2] > self.patience]
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

# %% wrong-order | visible: yes | first come, first served
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
        new = self.waiting[0]
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

# %% wrong-order | visible: yes | among equal ones, whoever came last
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
        urgent = [request for request in self.waiting if request[2] >= self.patience]
        new = urgent[0] if urgent else min(self.waiting[::-1], key=lambda request: request[1])
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

# %% wrong-step | visible: no | longest first, as an engine may do it
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
        urgent = [request for request in self.waiting if request[2] >= self.patience]
        new = urgent[0] if urgent else max(self.waiting, key=lambda request: request[1])
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

# %% wrong-urgent | visible: yes | of those without patience, the shortest
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
        urgent = [request for request in self.waiting if request[2] >= self.patience]
        new = min(urgent or self.waiting, key=lambda request: request[1])
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

# %% counts-wrong | visible: yes | counts for everybody who waits, also for those who came later
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
        urgent = [request for request in self.waiting if request[2] >= self.patience]
        new = urgent[0] if urgent else min(self.waiting, key=lambda request: request[1])
        place = self.waiting.index(new)
        for earlier in [one for one in self.waiting if one is not new]:
            earlier[2] += 1
        self.running.append(self.waiting.pop(place))

    def cancel(self, name):
        for requests in (self.waiting, self.running):
            for request in requests:
                if request[0] == name:
                    requests.remove(request)
                    return True
        return False

# %% counts-wrong | visible: yes | counts the steps in which somebody waits
class Scheduler:
    def __init__(self, places, patience):
        self.places, self.patience = places, patience
        self.waiting, self.running = [], []

    def add(self, name, tokens):
        self.waiting.append([name, tokens, 0])

    def step(self):
        while self.waiting and len(self.running) < self.places:
            self.admit()
        for request in self.waiting:
            request[2] += 1
        for request in self.running:
            request[1] -= 1
        served = [name for name, *_ in self.running]
        self.running = [request for request in self.running if request[1] > 0]
        return served

    def admit(self):
        urgent = [request for request in self.waiting if request[2] >= self.patience]
        new = urgent[0] if urgent else min(self.waiting, key=lambda request: request[1])
        place = self.waiting.index(new)
        self.running.append(self.waiting.pop(place))

    def cancel(self, name):
        for requests in (self.waiting, self.running):
            for request in requests:
                if request[0] == name:
                    requests.remove(request)
                    return True
        return False

# %% counts-wrong | visible: yes | counts only for the head of the queue
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
        urgent = [request for request in self.waiting if request[2] >= self.patience]
        new = urgent[0] if urgent else min(self.waiting, key=lambda request: request[1])
        place = self.waiting.index(new)
        for earlier in self.waiting[:min(place, 1)]:
            earlier[2] += 1
        self.running.append(self.waiting.pop(place))

    def cancel(self, name):
        for requests in (self.waiting, self.running):
            for request in requests:
                if request[0] == name:
                    requests.remove(request)
                    return True
        return False

# %% counts-wrong | visible: yes | counts once in a step, however many are admitted
class Scheduler:
    def __init__(self, places, patience):
        self.places, self.patience = places, patience
        self.waiting, self.running = [], []

    def add(self, name, tokens):
        self.waiting.append([name, tokens, 0])

    def step(self):
        before = {id(request): request[2] for request in self.waiting}
        while self.waiting and len(self.running) < self.places:
            self.admit()
        for request in self.waiting:
            request[2] = min(request[2], before[id(request)] + 1)
        for request in self.running:
            request[1] -= 1
        served = [name for name, *_ in self.running]
        self.running = [request for request in self.running if request[1] > 0]
        return served

    def admit(self):
        urgent = [request for request in self.waiting if request[2] >= self.patience]
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

# %% cancel | visible: yes | looks for a name in the queue only
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
        urgent = [request for request in self.waiting if request[2] >= self.patience]
        new = urgent[0] if urgent else min(self.waiting, key=lambda request: request[1])
        place = self.waiting.index(new)
        for earlier in self.waiting[:place]:
            earlier[2] += 1
        self.running.append(self.waiting.pop(place))

    def cancel(self, name):
        for requests in (self.waiting,):
            for request in requests:
                if request[0] == name:
                    requests.remove(request)
                    return True
        return False

# %% cancel | visible: yes | the client has gone, and its place is kept for it
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
        served = [name for name, *_ in self.running if name is not None]
        self.running = [request for request in self.running if request[1] > 0]
        return served

    def admit(self):
        urgent = [request for request in self.waiting if request[2] >= self.patience]
        new = urgent[0] if urgent else min(self.waiting, key=lambda request: request[1])
        place = self.waiting.index(new)
        for earlier in self.waiting[:place]:
            earlier[2] += 1
        self.running.append(self.waiting.pop(place))

    def cancel(self, name):
        for requests in (self.waiting, self.running):
            for request in requests:
                if request[0] == name:
                    request[0], request[1] = None, 99
                    return True
        return False

# %% cancel | visible: yes | says True to every name
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
        urgent = [request for request in self.waiting if request[2] >= self.patience]
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
        return True

# %% over-full | visible: yes | one place too many
class Scheduler:
    def __init__(self, places, patience):
        self.places, self.patience = places, patience
        self.waiting, self.running = [], []

    def add(self, name, tokens):
        self.waiting.append([name, tokens, 0])

    def step(self):
        while self.waiting and len(self.running) <= self.places:
            self.admit()
        for request in self.running:
            request[1] -= 1
        served = [name for name, *_ in self.running]
        self.running = [request for request in self.running if request[1] > 0]
        return served

    def admit(self):
        urgent = [request for request in self.waiting if request[2] >= self.patience]
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

# %% remembers-a-name | visible: yes | keeps how often somebody was overtaken in a book by name
class Scheduler:
    def __init__(self, places, patience):
        self.places, self.patience = places, patience
        self.waiting, self.running, self.times = [], [], {}

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
        urgent = [request for request in self.waiting if self.times.get(request[0], 0) >= self.patience]
        new = urgent[0] if urgent else min(self.waiting, key=lambda request: request[1])
        place = self.waiting.index(new)
        for earlier in self.waiting[:place]:
            self.times[earlier[0]] = self.times.get(earlier[0], 0) + 1
        self.running.append(self.waiting.pop(place))

    def cancel(self, name):
        for requests in (self.waiting, self.running):
            for request in requests:
                if request[0] == name:
                    requests.remove(request)
                    return True
        return False

# %% twice | visible: no | one queue for all schedulers, on the class
class Scheduler:
    waiting, running = [], []

    def __init__(self, places, patience):
        self.places, self.patience = places, patience

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
        urgent = [request for request in self.waiting if request[2] >= self.patience]
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

# %% changes-later | visible: no | hands out the same list after every step
class Scheduler:
    def __init__(self, places, patience):
        self.places, self.patience = places, patience
        self.waiting, self.running, self.served = [], [], []
    def add(self, name, tokens):
        self.waiting.append([name, tokens, 0])
    def step(self):
        while self.waiting and len(self.running) < self.places:
            self.admit()
        for request in self.running:
            request[1] -= 1
        served = self.served
        served[:] = [name for name, *_ in self.running]
        self.running = [request for request in self.running if request[1] > 0]
        return served
    def admit(self):
        urgent = [request for request in self.waiting if request[2] >= self.patience]
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

# %% wrong-order | visible: yes | among equal ones, the first in the alphabet
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
        urgent = [request for request in self.waiting if request[2] >= self.patience]
        new = urgent[0] if urgent else min(self.waiting, key=lambda request: (request[1], request[0]))
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

# %% counts-wrong | visible: yes | whoever is cancelled in the queue has overtaken those before it
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
        urgent = [request for request in self.waiting if request[2] >= self.patience]
        new = urgent[0] if urgent else min(self.waiting, key=lambda request: request[1])
        place = self.waiting.index(new)
        for earlier in self.waiting[:place]:
            earlier[2] += 1
        self.running.append(self.waiting.pop(place))
    def cancel(self, name):
        for requests in (self.waiting, self.running):
            for request in requests:
                if request[0] == name:
                    for earlier in self.waiting[:requests.index(request)] if requests is self.waiting else ():
                        earlier[2] += 1
                    requests.remove(request)
                    return True
        return False

# %% counts-wrong | visible: yes | begins to count anew when somebody cancels
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
        urgent = [request for request in self.waiting if request[2] >= self.patience]
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
                    for one in self.waiting:
                        one[2] = 0
                    return True
        return False

# %% static | visible: yes | nobody wants more than sixty-four tokens
class Scheduler:

    def __init__(self, places, patience):
        self.places, self.patience, self.waiting, self.running = (places, patience, [], [])

    def add(self, name, tokens):
        self.waiting.append([name, min(tokens, 64), 0])

    def step(self):
        while self.waiting and len(self.running) < self.places:
            self.admit()
        for r in self.running:
            r[1] -= 1
        served = [n for n, *_ in self.running]
        self.running = [r for r in self.running if r[1] > 0]
        return served

    def admit(self):
        urgent = [r for r in self.waiting if r[2] >= self.patience]
        new = urgent[0] if urgent else min(self.waiting, key=lambda r: r[1])
        place = self.waiting.index(new)
        for e in self.waiting[:place]:
            e[2] += 1
        self.running.append(self.waiting.pop(place))

    def cancel(self, name):
        for rs in (self.waiting, self.running):
            for r in rs:
                if r[0] == name:
                    rs.remove(r)
                    return True
        return False
