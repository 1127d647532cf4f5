# exercise: 02.5
# mechanism: a lock for the total and another for the count
import threading

class Till:
    def __init__(self):
        self.total, self.count = 0, 0
        self.total_lock, self.count_lock = threading.Lock(), threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.total_lock:
            self.total += price
        with self.count_lock:
            self.count += 1
            number = self.count
        print_receipt(number, price)
        return number
