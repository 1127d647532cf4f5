# exercise: 02.6
# reason: money-lost
# passes the visible example: yes
# story: no locks, so no deadlock
def transfer(source, target, amount):
    if source.balance < amount:
        return False
    source.balance -= amount
    target.balance += amount
    return True
