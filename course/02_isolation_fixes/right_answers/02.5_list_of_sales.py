# exercise: 02.5
# mechanism: a list of sales, total and count worked out
import threading


class Till:
    def __init__(self):
        self.sales, self.lock = [], threading.Lock()

    @property
    def total(self):
        return sum(self.sales)

    @property
    def count(self):
        return len(self.sales)

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.lock:
            self.sales.append(price)
            number = len(self.sales)
        print_receipt(number, price)
        return number
