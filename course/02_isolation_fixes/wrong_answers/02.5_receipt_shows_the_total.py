# exercise: 02.5
# reason: wrong-receipt
# passes the visible example: yes
# story: prints the day's total instead of the price
import threading

class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.lock:
            self.total += price
            self.count += 1
            number, total = self.count, self.total
        print_receipt(number, total)
        return number
