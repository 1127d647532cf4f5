# exercise: 02.5
# mechanism: acquire and release in a method of its own
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
