# exercise: 02.5
# mechanism: a lock of the class
import threading


class Till:
    lock = threading.Lock()
    total = 0
    count = 0

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.lock:
            self.total += price
            self.count += 1
            number = self.count
        print_receipt(number, price)
        return number
