# exercise: 02.6
# reason: self-deadlock
# passes the visible example: yes
# story: orders the locks, and takes one lock twice when both are the same
def transfer(source, target, amount):
    first, second = sorted((source, target), key=lambda a: a.number)
    with first.lock, second.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True
