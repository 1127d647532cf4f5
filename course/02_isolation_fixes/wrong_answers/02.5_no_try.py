# exercise: 02.5
# reason: lock-stays
# passes the visible example: yes
# story: acquire and release by hand: a price that is no number leaves the till locked
import threading


class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        self.lock.acquire()
        self.total += price
        self.count += 1
        number = self.count
        self.lock.release()
        print_receipt(number, price)
        return number
