"""Right answers to exercise 12.5, each by another mechanism."""

# %% three callers, and room for two
def limiter_verdict(limiter):
    room = Scenario(
        lambda: limiter(2), {name: lambda one: one.allow() for name in ("ann", "bob", "eve")},
        never=lambda one, got: sum(got.values()) != 2 or one.used != 2)
    return room.explore(first=True).verdict

# %% two scenarios: room for one, room for both
def limiter_verdict(limiter):
    for most in (1, 2):
        calls = {"ann": lambda one: one.allow(), "bob": lambda one: one.allow()}
        def wrong(one, got, most=most):
            return sorted(got.values()) != [most == 2, True] or one.used != most
        found = Scenario(lambda: limiter(most), calls, never=wrong).explore(witness=False)
        if found.verdict != "proved":
            return found.verdict
    return "proved"

# %% every interleaving, unreduced
def limiter_verdict(limiter):
    for most in (2, 1):
        def ask(one):
            return one.allow()
        room = Scenario(lambda: limiter(most), {"a": ask, "b": ask}, never=lambda one, got: one.used != most
                        or list(got.values()).count(True) != most)
        word = room.explore("all", witness=False).verdict
        if word != "proved":
            return word
    return word
