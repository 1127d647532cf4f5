# exercise: 02.5
# reason: loses-a-sale
# passes the visible example: yes
# story: makes the lock when it is first needed
import threading


class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, None

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        if self.lock is None:
            self.lock = threading.Lock()
        with self.lock:
            self.total += price
            self.count += 1
            number = self.count
        print_receipt(number, price)
        return number
