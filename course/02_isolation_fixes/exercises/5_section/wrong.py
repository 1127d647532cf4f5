"""Wrong answers to exercise 02.5: why each is rejected, whether it passes the lab's example, its story."""

# %% asks-again | visible: yes | asks for the price of the count, not of the item
import threading


class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(self.count)
        with self.lock:
            self.total += price
            self.count += 1
            number = self.count
        print_receipt(number, price)
        return number

# %% asks-again | visible: no | asks for the price once for the sum and once for the receipt
import threading

class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        with self.lock:
            self.total += price_of(item)
            self.count += 1
            number = self.count
        print_receipt(number, price_of(item))
        return number

# %% jam-undoes-the-sale | visible: yes | adds to the total when the receipt is out
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

# %% wrong-sum | visible: no | returns the count before this sale
import threading

class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.lock:
            number = self.count
            self.total += price
            self.count += 1
        print_receipt(number, price)
        return number

# %% price-inside | visible: yes | one lock around the whole sale
import threading

class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        with self.lock:
            price = price_of(item)
            self.total += price
            self.count += 1
            print_receipt(self.count, price)
            return self.count

# %% wrong-sum | visible: yes | an item that costs nothing is no sale
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

# %% loses-a-sale | visible: yes | makes the lock when it is first needed
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

# %% loses-a-sale | visible: yes | a new lock for each sale
import threading

class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with threading.Lock():
            self.total += price
            self.count += 1
            number = self.count
        print_receipt(number, price)
        return number

# %% loses-a-sale | visible: yes | no lock: the additions are short
import threading

class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        self.total += price
        self.count += 1
        number = self.count
        print_receipt(number, price)
        return number

# %% lock-stays | visible: yes | acquire and release by hand: a price that is no number leaves the till locked
import threading


class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        self.lock.acquire()
        self.total += price
        self.count += 1
        number = self.count
        self.lock.release()
        print_receipt(number, price)
        return number

# %% sold-without-a-price | visible: yes | counts the sale before it knows the price
import threading


class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        with self.lock:
            self.count += 1
            number = self.count
        price = price_of(item)
        with self.lock:
            self.total += price
        print_receipt(number, price)
        return number

# %% loses-a-sale | visible: yes | reads its number after giving the lock back
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

# %% loses-a-sale | visible: yes | prints the price that lies on self
import threading


class Till:
    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.lock:
            self.price = price
            self.total += price
            self.count += 1
            number = self.count
        print_receipt(number, self.price)
        return number

# %% print-inside | visible: yes | prints the receipt while the next customer waits
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

# %% loses-a-sale | visible: yes | returns its own number and prints the newest
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
        print_receipt(self.count, price)
        return number

# %% wrong-receipt | visible: yes | prints the day's total instead of the price
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

# %% loses-a-sale | visible: yes | locks the count, and adds to the total outside
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
