# exercise: 02.6
# reason: wrong-shape
# passes the visible example: no
# story: moves the money and says nothing
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = sorted((source, target), key=lambda a: a.number)
    with first.lock, second.lock:
        if source.balance >= amount:
            source.balance -= amount
            target.balance += amount
