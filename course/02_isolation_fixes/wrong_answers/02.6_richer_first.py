# exercise: 02.6
# reason: deadlock
# passes the visible example: yes
# story: takes the lock of the richer account first, and balances change
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = (source, target) if source.balance >= target.balance else (target, source)
    with first.lock, second.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True
