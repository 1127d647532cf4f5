# exercise: 02.6
# reason: overdrawn
# passes the visible example: yes
# story: looks at the balance before it holds the locks
def transfer(source, target, amount):
    if source.balance < amount:
        return False
    if source is target:
        return True
    first, second = (source, target) if source.number < target.number else (target, source)
    with first.lock, second.lock:
        source.balance -= amount
        target.balance += amount
        return True
