"""Right answers to exercise 01.6, each by another mechanism."""

# %% both invariants in one question
def verdict(checker):
    room = Scenario(
        setup=lambda: checker("s3cret"),
        threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
        never=lambda c, answers: answers != {"alice": True, "mallory": False},
    )
    return room.explore().verdict

# %% one question for each invariant, all orders
def verdict(checker):
    calls = {"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")}
    for hurt in (lambda c, a: a["mallory"] is not False, lambda c, a: a["alice"] is not True):
        said = Scenario(lambda: checker("s3cret"), calls, never=hurt).explore("all").verdict
        if said != "proved":
            return said
    return "proved"

# %% other passcodes, and names that mean nothing
def verdict(checker):
    asked = {"one": "open", "two": "sesame"}
    calls = {name: lambda c, word=word: c.check(word) for name, word in asked.items()}

    def wrong(state, answers):
        return any(answers[name] is not (asked[name] == "open") for name in asked)

    found = Scenario(setup=lambda: checker("open"), threads=calls, never=wrong).explore()
    return str(found.verdict)
