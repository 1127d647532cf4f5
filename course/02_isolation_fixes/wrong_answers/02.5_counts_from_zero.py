# exercise: 02.5
# reason: wrong-sum
# passes the visible example: no
# story: returns the count before this sale
import threading

class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.lock:
            number = self.count
            self.total += price
            self.count += 1
        print_receipt(number, price)
        return number
