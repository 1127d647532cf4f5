# exercise: 02.5
# reason: print-inside
# passes the visible example: yes
# story: prints the receipt while the next customer waits
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
            print_receipt(number, price)
        return number
