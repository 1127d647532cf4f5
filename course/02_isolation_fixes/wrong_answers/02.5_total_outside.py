# exercise: 02.5
# reason: loses-a-sale
# passes the visible example: yes
# story: locks the count, and adds to the total outside
import threading

class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        self.total += price
        with self.lock:
            self.count += 1
            number = self.count
        print_receipt(number, price)
        return number
