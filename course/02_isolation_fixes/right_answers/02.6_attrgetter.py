# exercise: 02.6
# mechanism: attrgetter, min and max
from operator import attrgetter


def transfer(source, target, amount):
    if source.number == target.number:
        return amount <= source.balance
    low = min(source, target, key=attrgetter("number"))
    high = max(source, target, key=attrgetter("number"))
    with low.lock, high.lock:
        if amount > source.balance:
            return False
        source.balance, target.balance = source.balance - amount, target.balance + amount
        return True
