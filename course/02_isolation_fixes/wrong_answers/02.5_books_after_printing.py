# exercise: 02.5
# reason: jam-undoes-the-sale
# passes the visible example: yes
# story: adds to the total when the receipt is out
import threading


class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.lock:
            self.count += 1
            number = self.count
        print_receipt(number, price)
        with self.lock:
            self.total += price
        return number
