# exercise: 02.5
# reason: sold-without-a-price
# passes the visible example: yes
# story: counts the sale before it knows the price
import threading


class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        with self.lock:
            self.count += 1
            number = self.count
        price = price_of(item)
        with self.lock:
            self.total += price
        print_receipt(number, price)
        return number
