# exercise: 02.6
# reason: wrong-sum
# passes the visible example: yes
# story: refuses to move the last coin
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = sorted((source, target), key=lambda a: a.number)
    with first.lock, second.lock:
        if source.balance <= amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True
