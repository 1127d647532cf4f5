# exercise: 02.6
# reason: lock-kept
# passes the visible example: yes
# story: returns False with both locks in the hand
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = (source, target) if source.number < target.number else (target, source)
    first.lock.acquire()
    second.lock.acquire()
    if source.balance < amount:
        return False
    source.balance -= amount
    target.balance += amount
    second.lock.release()
    first.lock.release()
    return True
