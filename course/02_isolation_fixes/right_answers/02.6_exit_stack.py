# exercise: 02.6
# mechanism: an exit stack over the sorted distinct accounts
from contextlib import ExitStack


def transfer(source, target, amount):
    with ExitStack() as stack:
        for account in sorted({source, target}, key=lambda a: a.number):
            stack.enter_context(account.lock)
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True
