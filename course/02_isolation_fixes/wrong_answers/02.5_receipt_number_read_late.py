# exercise: 02.5
# reason: loses-a-sale
# passes the visible example: yes
# story: returns its own number and prints the newest
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
        print_receipt(self.count, price)
        return number
