# exercise: 02.6
# reason: overdrawn
# passes the visible example: yes
# story: moves first, and takes it back when it was too much
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = sorted((source, target), key=lambda a: a.number)
    with first.lock, second.lock:
        source.balance -= amount
        target.balance += amount
    with first.lock, second.lock:
        if source.balance < 0:
            source.balance += amount
            target.balance -= amount
            return False
        return True
