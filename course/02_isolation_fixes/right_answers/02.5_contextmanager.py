# exercise: 02.5
# mechanism: a context manager of its own
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
