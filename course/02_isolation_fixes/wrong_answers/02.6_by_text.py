# exercise: 02.6
# reason: deadlock
# passes the visible example: yes
# story: orders the numbers as texts: 10 comes before 9
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
