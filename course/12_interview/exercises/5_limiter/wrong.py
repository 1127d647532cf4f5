"""Wrong answers to exercise 12.5: why each is rejected, whether it passes the lab's example, its story."""

# %% forgets-the-board | visible: yes | counts the answers, and room for one alone
def limiter_verdict(limiter):
    calls = {"ann": lambda one: one.allow(), "bob": lambda one: one.allow()}
    return Scenario(lambda: limiter(1), calls, never=lambda one, got: sum(got.values()) != 1).explore(witness=False).verdict

# %% forgets-the-board | visible: yes | looks at the board, where only one is let in
def limiter_verdict(limiter):
    calls = {"ann": lambda one: one.allow(), "bob": lambda one: one.allow()}
    def wrong(one, got):
        return sum(got.values()) != 1 or one.used != 1
    return Scenario(lambda: limiter(1), calls, never=wrong).explore(witness=False).verdict

# %% never-too-few | visible: yes | not more than allowed
def limiter_verdict(limiter):
    calls = {"ann": lambda one: one.allow(), "bob": lambda one: one.allow()}
    return Scenario(lambda: limiter(1), calls, never=lambda one, got: sum(got.values()) > 1).explore(witness=False).verdict

# %% deadlock-has-a-name | visible: yes | what is not proved is broken
def limiter_verdict(limiter):
    calls = {name: lambda one: one.allow() for name in ("ann", "bob", "eve")}
    room = Scenario(lambda: limiter(2), calls, never=lambda one, got: sum(got.values()) != 2 or one.used != 2)
    return "proved" if room.explore(first=True, witness=False).verdict == "proved" else "broken"

# %% calls-it-right | visible: no | one caller after the other
def limiter_verdict(limiter):
    one = limiter(1)
    return "proved" if [one.allow(), one.allow()] == [True, False] and one.used == 1 else "broken"

# %% calls-it-right | visible: no | a limiter for each caller
def limiter_verdict(limiter):
    calls = {"ann": lambda state: limiter(1).allow(), "bob": lambda state: limiter(1).allow()}
    return Scenario(lambda: None, calls, never=lambda state, got: sum(got.values()) != 2).explore(witness=False).verdict

# %% calls-it-right | visible: no | room for everybody
def limiter_verdict(limiter):
    calls = {"ann": lambda one: one.allow(), "bob": lambda one: one.allow()}
    return Scenario(lambda: limiter(2), calls, never=lambda one, got: not all(got.values())).explore(witness=False).verdict

# %% false-alarm | visible: no | both should get in, and there is room for one
def limiter_verdict(limiter):
    calls = {"ann": lambda one: one.allow(), "bob": lambda one: one.allow()}
    return Scenario(lambda: limiter(1), calls, never=lambda one, got: sum(got.values()) != 2).explore(witness=False).verdict
