"""Wrong answers to exercise 02.6: why each is rejected, whether it passes the lab's example, its story."""

# %% deadlock | visible: yes | the larger balance first, then the number
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = sorted((source, target), key=lambda a: (a.balance, a.number))
    with first.lock, second.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True

# %% deadlock | visible: yes | orders the locks by the accounts' ids in memory
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = sorted((source, target), key=id)
    with first.lock, second.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True

# %% deadlock | visible: yes | orders the numbers as texts: 10 comes before 9
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = (source, target) if str(source.number) < str(target.number) else (target, source)
    with first.lock, second.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True

# %% lock-kept | visible: yes | returns False with both locks in the hand
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

# %% deadlock | visible: yes | agrees with itself, and not with the auditor
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

# %% wrong-sum | visible: yes | refuses to move the last coin
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = sorted((source, target), key=lambda a: a.number)
    with first.lock, second.lock:
        if source.balance <= amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True

# %% overdrawn | visible: yes | looks at the balance before it holds the locks
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

# %% lock-kept | visible: yes | gives the locks back by hand, and not after an exception
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

# %% money-lost | visible: yes | no locks, so no deadlock
def transfer(source, target, amount):
    if source.balance < amount:
        return False
    source.balance -= amount
    target.balance += amount
    return True

# %% self-deadlock | visible: yes | orders the locks, and takes one lock twice when both are the same
def transfer(source, target, amount):
    first, second = sorted((source, target), key=lambda a: a.number)
    with first.lock, second.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True

# %% in-the-air | visible: yes | gives one lock back before it takes the other
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

# %% self-transfer | visible: yes | says True to any transfer to oneself
def transfer(source, target, amount):
    if source is target:
        return True
    first, second = (source, target) if source.number < target.number else (target, source)
    with first.lock, second.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True

# %% in-the-air | visible: yes | one lock of its own for all transfers, which no auditor takes
import threading

DOOR = threading.Lock()

def transfer(source, target, amount):
    with DOOR:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True

# %% wrong-shape | visible: no | moves the money and says nothing
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = sorted((source, target), key=lambda a: a.number)
    with first.lock, second.lock:
        if source.balance >= amount:
            source.balance -= amount
            target.balance += amount

# %% deadlock | visible: yes | takes the lock of the richer account first, and balances change
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

# %% deadlock | visible: yes | takes the source's lock first
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    with source.lock, target.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True

# %% overdrawn | visible: yes | moves first, and takes it back when it was too much
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = sorted((source, target), key=lambda a: a.number)
    with first.lock, second.lock:
        source.balance -= amount
        target.balance += amount
    with first.lock, second.lock:
        if source.balance < 0:
            source.balance += amount
            target.balance -= amount
            return False
        return True
