"""Right answers to exercise 10.4, each by another mechanism."""

# %% names and counter in one question
def regression(shop):
    def wrong(state, answers):
        return dict(answers) != {"ann": "Hello, ann", "bob": "Hello, bob"} or state.pages != 2

    calls = {"ann": lambda s: s.page("ann"), "bob": lambda s: s.page("bob")}
    return Scenario(shop, calls, never=wrong).explore().verdict

# %% a question for each, and all orders
def regression(shop):
    calls = {name: lambda s, name=name: s.page(name) for name in ("ann", "bob")}
    for never in (lambda s, got: any(got[name] != "Hello, " + name for name in got), lambda s, got: s.pages < 2):
        found = Scenario(lambda: shop(), calls, never=never).explore("all")
        if found.verdict != "proved":
            return found.verdict
    return "proved"

# %% the outcomes, compared with the serial ones
def regression(shop):
    calls = {"one": lambda s: s.page("one"), "two": lambda s: s.page("two")}
    found = Scenario(shop, calls, observe=lambda s: s.pages).explore()
    if found.verdict != "proved":
        return found.verdict
    return "proved" if found.outcomes == {(("Hello, one", "Hello, two"), 2)} else "broken"

# %% the first failure is enough
def regression(shop):
    room = Scenario(
        setup=shop,
        threads={"ann": lambda s: s.page("ann"), "bob": lambda s: s.page("bob")},
        never=lambda s, got: (got["ann"], got["bob"], s.pages) != ("Hello, ann", "Hello, bob", 2),
    )
    return room.explore("dpor", first=True).verdict
