# exercise: 02.5
# reason: wrong-sum
# passes the visible example: yes
# story: an item that costs nothing is no sale
import threading


class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.lock:
            if price:
                self.total += price
                self.count += 1
            number = self.count
        print_receipt(number, price)
        return number
