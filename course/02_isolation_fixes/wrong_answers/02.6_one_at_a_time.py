# exercise: 02.6
# reason: in-the-air
# passes the visible example: yes
# story: gives one lock back before it takes the other
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    with source.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
    with target.lock:
        target.balance += amount
    return True
