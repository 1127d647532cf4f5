# exercise: 02.5
# mechanism: a queue with one token in it
import queue


class Till:
    def __init__(self):
        self.total = self.count = 0
        self.token = queue.Queue()
        self.token.put(None)

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        self.token.get()
        try:
            self.total += price
            self.count += 1
            number = self.count
        finally:
            self.token.put(None)
        print_receipt(number, price)
        return number
