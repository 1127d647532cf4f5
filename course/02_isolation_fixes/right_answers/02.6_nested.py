# exercise: 02.6
# mechanism: the smaller number first, with nested statements and one assignment
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = (target, source) if source.number > target.number else (source, target)
    with first.lock:
        with second.lock:
            if amount > source.balance:
                return False
            source.balance, target.balance = source.balance - amount, target.balance + amount
            return True
