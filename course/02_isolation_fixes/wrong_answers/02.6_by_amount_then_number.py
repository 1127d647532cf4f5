# exercise: 02.6
# reason: deadlock
# passes the visible example: yes
# story: the larger balance first, then the number
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = sorted((source, target), key=lambda a: (a.balance, a.number))
    with first.lock, second.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True
