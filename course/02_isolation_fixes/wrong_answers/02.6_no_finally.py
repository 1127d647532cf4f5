# exercise: 02.6
# reason: lock-kept
# passes the visible example: yes
# story: gives the locks back by hand, and not after an exception
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = (source, target) if source.number < target.number else (target, source)
    first.lock.acquire()
    second.lock.acquire()
    enough = source.balance >= amount
    if enough:
        source.balance -= amount
        target.balance += amount
    second.lock.release()
    first.lock.release()
    return enough
