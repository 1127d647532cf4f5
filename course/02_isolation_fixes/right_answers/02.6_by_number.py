# exercise: 02.6
# mechanism: the smaller number first
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = (source, target) if source.number < target.number else (target, source)
    with first.lock, second.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True
