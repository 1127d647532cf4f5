# exercise: 02.5
# reason: asks-again
# passes the visible example: no
# story: asks for the price once for the sum and once for the receipt
import threading

class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        with self.lock:
            self.total += price_of(item)
            self.count += 1
            number = self.count
        print_receipt(number, price_of(item))
        return number
