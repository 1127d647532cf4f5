# exercise: 02.6
# reason: deadlock
# passes the visible example: yes
# story: takes the source's lock first
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    with source.lock, target.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True
