# exercise: 02.6
# mechanism: sorts the distinct accounts, and takes one lock or two
def number_of(account):
    return account.number

def transfer(source, target, amount):
    if source.number == target.number:
        with source.lock:
            return source.balance >= amount
    low, high = sorted([source, target], key=number_of)
    low.lock.acquire()
    high.lock.acquire()
    try:
        enough = source.balance >= amount
        if enough:
            source.balance = source.balance - amount
            target.balance = target.balance + amount
        return enough
    finally:
        high.lock.release()
        low.lock.release()
