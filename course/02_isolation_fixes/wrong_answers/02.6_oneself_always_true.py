# exercise: 02.6
# reason: self-transfer
# passes the visible example: yes
# story: says True to any transfer to oneself
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
