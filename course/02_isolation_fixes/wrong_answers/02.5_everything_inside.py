# exercise: 02.5
# reason: price-inside
# passes the visible example: yes
# story: one lock around the whole sale
import threading

class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        with self.lock:
            price = price_of(item)
            self.total += price
            self.count += 1
            print_receipt(self.count, price)
            return self.count
