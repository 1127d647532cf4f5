"""Wrong answers to exercise 02.7: why each is rejected, whether it passes the lab's example, its story."""

# %% only-the-sum | visible: yes | looks at the sum of both accounts
def bank_verdict(transfer):
    room = Scenario(
        setup=lambda: [Account(1, 100), Account(2, 100)],
        threads={"there": lambda bank: transfer(bank[0], bank[1], 30),
                 "back": lambda bank: transfer(bank[1], bank[0], 20)},
        never=lambda bank, answers: bank[0].balance + bank[1].balance != 200 or answers != {"there": True, "back": True},
    )
    return room.explore().verdict

# %% only-the-sum | visible: yes | the same amount goes there and back
def bank_verdict(transfer):
    room = Scenario(
        setup=lambda: [Account(1, 100), Account(2, 100)],
        threads={"there": lambda bank: transfer(bank[0], bank[1], 30),
                 "back": lambda bank: transfer(bank[1], bank[0], 30)},
        never=lambda bank, answers: ([account.balance for account in bank] != [100, 100]
                                     or answers != {"there": True, "back": True}),
    )
    return room.explore().verdict

# %% forgets-the-answers | visible: yes | looks at the balances alone
def bank_verdict(transfer):
    room = Scenario(
        setup=lambda: [Account(1, 100), Account(2, 100)],
        threads={"there": lambda bank: transfer(bank[0], bank[1], 30),
                 "back": lambda bank: transfer(bank[1], bank[0], 20)},
        never=lambda bank, answers: [account.balance for account in bank] != [90, 110],
    )
    return room.explore().verdict

# %% deadlock-has-a-name | visible: yes | both transfers go the same way, so nobody waits in a circle
def bank_verdict(transfer):
    room = Scenario(
        setup=lambda: [Account(1, 100), Account(2, 100)],
        threads={"one": lambda bank: transfer(bank[0], bank[1], 30),
                 "two": lambda bank: transfer(bank[0], bank[1], 20)},
        never=lambda bank, answers: ([account.balance for account in bank] != [50, 150]
                                     or answers != {"one": True, "two": True}),
    )
    return room.explore().verdict

# %% deadlock-has-a-name | visible: yes | whatever is not proved is called broken
def bank_verdict(transfer):
    room = Scenario(
        setup=lambda: [Account(1, 100), Account(2, 100)],
        threads={"there": lambda bank: transfer(bank[0], bank[1], 30),
                 "back": lambda bank: transfer(bank[1], bank[0], 20)},
        never=lambda bank, answers: ([account.balance for account in bank] != [90, 110]
                                     or answers != {"there": True, "back": True}),
    )
    return "proved" if room.explore().verdict == "proved" else "broken"

# %% calls-it-right | visible: no | one thread makes both transfers
def bank_verdict(transfer):
    room = Scenario(
        setup=lambda: [Account(1, 100), Account(2, 100)],
        threads={"both": lambda bank: (transfer(bank[0], bank[1], 30), transfer(bank[1], bank[0], 20)),
                 "nobody": lambda bank: None},
        never=lambda bank, answers: [account.balance for account in bank] != [90, 110],
    )
    return room.explore().verdict

# %% false-alarm | visible: no | expects the balances the other way round
def bank_verdict(transfer):
    room = Scenario(
        setup=lambda: [Account(1, 100), Account(2, 100)],
        threads={"there": lambda bank: transfer(bank[0], bank[1], 30),
                 "back": lambda bank: transfer(bank[1], bank[0], 20)},
        never=lambda bank, answers: [account.balance for account in bank] != [110, 90],
    )
    return room.explore().verdict

# %% not-a-word | visible: no | returns the whole result
def bank_verdict(transfer):
    room = Scenario(
        setup=lambda: [Account(1, 100), Account(2, 100)],
        threads={"there": lambda bank: transfer(bank[0], bank[1], 30),
                 "back": lambda bank: transfer(bank[1], bank[0], 20)},
        never=lambda bank, answers: [account.balance for account in bank] != [90, 110],
    )
    return room.explore()
