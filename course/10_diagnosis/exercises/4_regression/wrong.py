"""Wrong answers to exercise 10.4: why each is rejected, whether it passes the lab's example, its story."""

# %% forgets-the-counter | visible: yes | asks about names alone
def regression(shop):
    calls = {"ann": lambda s: s.page("ann"), "bob": lambda s: s.page("bob")}
    def never(s, got):
        return got["ann"] != "Hello, ann" or got["bob"] != "Hello, bob"
    return Scenario(shop, calls, never=never).explore().verdict

# %% forgets-the-names | visible: yes | asks about the counter alone
def regression(shop):
    calls = {"ann": lambda s: s.page("ann"), "bob": lambda s: s.page("bob")}
    return Scenario(shop, calls, never=lambda s, got: s.pages != 2).explore().verdict

# %% passes-before-the-fix | visible: no | one guest after another
def regression(shop):
    room = shop()
    right = room.page("ann") == "Hello, ann" and room.page("bob") == "Hello, bob" and room.pages == 2
    return "proved" if right else "broken"

# %% passes-before-the-fix | visible: no | a shop for each guest
def regression(shop):
    calls = {"ann": lambda s: shop().page("ann"), "bob": lambda s: shop().page("bob")}
    def never(s, got):
        return dict(got) != {"ann": "Hello, ann", "bob": "Hello, bob"}
    return Scenario(lambda: None, calls, never=never).explore().verdict

# %% fails-after-the-fix | visible: no | the counter counts three
def regression(shop):
    calls = {"ann": lambda s: s.page("ann"), "bob": lambda s: s.page("bob")}
    def never(s, got):
        return dict(got) != {"ann": "Hello, ann", "bob": "Hello, bob"} or s.pages != 3
    return Scenario(shop, calls, never=never).explore().verdict

# %% deadlock-has-a-name | visible: yes | everything that is not proved is broken
def regression(shop):
    calls = {"ann": lambda s: s.page("ann"), "bob": lambda s: s.page("bob")}
    def never(s, got):
        return dict(got) != {"ann": "Hello, ann", "bob": "Hello, bob"} or s.pages != 2
    return "proved" if Scenario(shop, calls, never=never).explore().verdict == "proved" else "broken"

# %% not-a-word | visible: no | True and False
def regression(shop):
    calls = {"ann": lambda s: s.page("ann"), "bob": lambda s: s.page("bob")}
    def never(s, got):
        return dict(got) != {"ann": "Hello, ann", "bob": "Hello, bob"} or s.pages != 2
    return Scenario(shop, calls, never=never).explore().verdict == "proved"

# %% forgets-the-names | visible: yes | one of the two names
def regression(shop):
    calls = {"ann": lambda s: s.page("ann"), "bob": lambda s: s.page("ann")}
    def never(s, got):
        return got["ann"] != "Hello, ann" or s.pages != 2
    return Scenario(shop, calls, never=never).explore().verdict

# %% forgets-the-names | visible: yes | two different pages are two right ones
def regression(shop):
    room = Scenario(setup=shop, threads={'ann': lambda s: s.page('ann'), 'bob': lambda s: s.page('bob')}, never=lambda s, got: len(set(got.values())) != 2 or s.pages != 2)
    return room.explore().verdict
