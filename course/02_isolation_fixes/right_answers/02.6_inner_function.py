# exercise: 02.6
# mechanism: locks outside, booking in a function
def book(source, target, amount):
    if source.balance < amount:
        return False
    source.balance -= amount
    target.balance += amount
    return True


def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    if source.number < target.number:
        with source.lock:
            with target.lock:
                return book(source, target, amount)
    with target.lock:
        with source.lock:
            return book(source, target, amount)
