"""Right answers to exercise 02.5, each by another mechanism."""

# %% acquire and release in a method of its own
import threading

class Till:
    def __init__(self):
        self.total = self.count = 0
        self.door = threading.RLock()

    def book(self, price):
        self.door.acquire()
        try:
            self.count += 1
            self.total += price
            return self.count
        finally:
            self.door.release()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        number = self.book(price)
        print_receipt(number, price)
        return number

# %% a lock of the class
import threading


class Till:
    lock = threading.Lock()
    total = 0
    count = 0

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.lock:
            self.total += price
            self.count += 1
            number = self.count
        print_receipt(number, price)
        return number

# %% a context manager of its own
import threading
from contextlib import contextmanager


class Till:
    def __init__(self):
        self.total = self.count = 0
        self.door = threading.BoundedSemaphore(1)

    @contextmanager
    def open(self):
        self.door.acquire()
        try:
            yield self
        finally:
            self.door.release()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.open() as till:
            till.total += price
            till.count += 1
            number = till.count
        print_receipt(number, price)
        return number

# %% a list of sales, total and count worked out
import threading


class Till:
    def __init__(self):
        self.sales, self.lock = [], threading.Lock()

    @property
    def total(self):
        return sum(self.sales)

    @property
    def count(self):
        return len(self.sales)

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.lock:
            self.sales.append(price)
            number = len(self.sales)
        print_receipt(number, price)
        return number

# %% a queue with one token in it
import queue


class Till:
    def __init__(self):
        self.total = self.count = 0
        self.token = queue.Queue()
        self.token.put(None)

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        self.token.get()
        try:
            self.total += price
            self.count += 1
            number = self.count
        finally:
            self.token.put(None)
        print_receipt(number, price)
        return number

# %% a lock for the total and another for the count
import threading

class Till:
    def __init__(self):
        self.total, self.count = 0, 0
        self.total_lock, self.count_lock = threading.Lock(), threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.total_lock:
            self.total += price
        with self.count_lock:
            self.count += 1
            number = self.count
        print_receipt(number, price)
        return number

# %% one lock around two additions and a read
import threading

class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.lock:
            self.total += price
            self.count += 1
            number = self.count
        print_receipt(number, price)
        return number

# %% annotated, with a type of another module, and tried out below
import threading
from collections.abc import Callable
from numbers import Real


class Till:
    def __init__(self) -> None:
        self.total: Real = 0
        self.count: int = 0
        self._gate = threading.RLock()

    def sell(self, item: object, price_of: Callable[[object], Real], print_receipt: Callable[[int, Real], None]) -> int:
        price = price_of(item)
        with self._gate:
            self.total, self.count = self.total + price, self.count + 1
            number = self.count
        print_receipt(number, price)
        return number


if __name__ == "__main__":
    till = Till()
    assert till.sell("tea", lambda item: 2, print) == 1
