"""Wrong answers to exercise 12.6: why each is rejected, whether it passes the lab's example, its story."""

# %% made-twice | visible: yes | no lock at all
class Once:
    def __init__(self):
        self.values = {}

    def get(self, key, make):
        if key not in self.values:
            self.values[key] = make()
        return self.values[key]

# %% made-twice | visible: yes | looks outside, locks the making
from threading import Lock

class Once:
    def __init__(self):
        self.values, self.lock = {}, Lock()

    def get(self, key, make):
        if key not in self.values:
            with self.lock:
                self.values[key] = make()
        return self.values[key]

# %% made-twice | visible: yes | a new lock in every call
from threading import Lock

class Once:
    def __init__(self):
        self.values = {}

    def get(self, key, make):
        with Lock():
            if key not in self.values:
                self.values[key] = make()
            return self.values[key]

# %% keys-mixed | visible: yes | the key lies on self
from threading import Lock

class Once:
    def __init__(self):
        self.values, self.lock, self.key = {}, Lock(), None

    def get(self, key, make):
        self.key = key
        with self.lock:
            if self.key not in self.values:
                self.values[self.key] = make()
            return self.values[key] if key in self.values else self.values[self.key]

# %% none-is-a-value | visible: yes | asks whether the value is None
from threading import Lock

class Once:
    def __init__(self):
        self.values, self.lock = {}, Lock()

    def get(self, key, make):
        with self.lock:
            value = self.values.get(key)
            if value is None:
                value = self.values[key] = make()
            return value

# %% deadlock | visible: yes | the lock is not given back when make raises
from threading import Lock

class Once:
    def __init__(self):
        self.values, self.lock = {}, Lock()

    def get(self, key, make):
        self.lock.acquire()
        if key not in self.values:
            self.values[key] = make()
        found = self.values[key]
        self.lock.release()
        return found

# %% failure-kept | visible: yes | remembers the failure, too
from threading import Lock

class Once:
    def __init__(self):
        self.values, self.lock = {}, Lock()

    def get(self, key, make):
        with self.lock:
            if key not in self.values:
                try:
                    self.values[key] = (True, make())
                except OSError as problem:
                    self.values[key] = (False, problem)
            fine, found = self.values[key]
        if fine:
            return found
        raise found

# %% wrong-in-turn | visible: no | one value for all keys
from threading import Lock

class Once:
    def __init__(self):
        self.values, self.lock = [], Lock()

    def get(self, key, make):
        with self.lock:
            if not self.values:
                self.values.append(make())
            return self.values[0]
