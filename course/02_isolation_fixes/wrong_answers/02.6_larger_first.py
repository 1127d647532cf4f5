# exercise: 02.6
# reason: deadlock
# passes the visible example: yes
# story: agrees with itself, and not with the auditor
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = (target, source) if source.number < target.number else (source, target)
    with first.lock, second.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True
