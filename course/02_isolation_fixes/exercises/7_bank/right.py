"""Right answers to exercise 02.7, each by another mechanism."""

# %% two amounts, each account, both answers
def bank_verdict(transfer):
    room = Scenario(
        setup=lambda: [Account(1, 100), Account(2, 100)],
        threads={"there": lambda bank: transfer(bank[0], bank[1], 30),
                 "back": lambda bank: transfer(bank[1], bank[0], 20)},
        never=lambda bank, answers: ([account.balance for account in bank] != [90, 110]
                                     or answers != {"there": True, "back": True}),
    )
    return room.explore().verdict

# %% compared with what a serial run leaves, by hand
def bank_verdict(transfer):
    calls = {"there": lambda b: transfer(b["a"], b["b"], 7), "back": lambda b: transfer(b["b"], b["a"], 4)}

    def wrong(bank, answers):
        moved = bank["a"].balance - 50, bank["b"].balance - 50
        return moved != (-3, 3) or not all(answer is True for answer in answers.values())

    return Scenario(lambda: {"a": Account(5, 50), "b": Account(3, 50)}, calls, never=wrong).explore().verdict
