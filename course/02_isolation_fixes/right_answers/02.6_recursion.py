# exercise: 02.6
# mechanism: calls itself the other way round with a negative amount
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    return move(source, target, amount) if source.number < target.number else move(target, source, -amount)


def move(low, high, amount):
    with low.lock, high.lock:
        if low.balance < amount or high.balance < -amount:
            return False
        low.balance -= amount
        high.balance += amount
        return True
