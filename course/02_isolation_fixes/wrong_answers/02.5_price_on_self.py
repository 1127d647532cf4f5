# exercise: 02.5
# reason: loses-a-sale
# passes the visible example: yes
# story: prints the price that lies on self
import threading


class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.lock:
            self.price = price
            self.total += price
            self.count += 1
            number = self.count
        print_receipt(number, self.price)
        return number
