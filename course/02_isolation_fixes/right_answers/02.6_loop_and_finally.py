# exercise: 02.6
# mechanism: a list of locks, taken in a loop
def transfer(source, target, amount):
    locks = [account.lock for account in sorted({source, target}, key=lambda account: account.number)]
    for lock in locks:
        lock.acquire()
    try:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True
    finally:
        for lock in reversed(locks):
            lock.release()
