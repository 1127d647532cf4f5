# exercise: 02.5
# reason: asks-again
# passes the visible example: yes
# story: asks for the price of the count, not of the item
import threading


class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(self.count)
        with self.lock:
            self.total += price
            self.count += 1
            number = self.count
        print_receipt(number, price)
        return number
