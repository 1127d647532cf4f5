"""Wrong answers to exercise 01.6: why each is rejected, whether it passes the lab's example, its story."""

# %% misses-refusals | visible: yes | asks only whether Mallory gets in
def verdict(checker):
    room = Scenario(
        setup=lambda: checker("s3cret"),
        threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
        never=lambda c, answers: answers["mallory"] is True,
    )
    return room.explore().verdict

# %% misses-entries | visible: yes | asks only whether Alice is refused
def verdict(checker):
    room = Scenario(
        setup=lambda: checker("s3cret"),
        threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
        never=lambda c, answers: answers["alice"] is False,
    )
    return room.explore().verdict

# %% deadlock-has-a-name | visible: yes | whatever is not proved is called broken
def verdict(checker):
    room = Scenario(
        setup=lambda: checker("s3cret"),
        threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
        never=lambda c, answers: answers != {"alice": True, "mallory": False},
    )
    return "proved" if room.explore().verdict == "proved" else "broken"

# %% calls-it-right | visible: no | tries the two serial orders, as a test does
def verdict(checker):
    room = Scenario(
        setup=lambda: checker("s3cret"),
        threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
        never=lambda c, answers: answers != {"alice": True, "mallory": False},
    )
    bad = any(room.play(order).violated for order in (["alice*", "mallory*"], ["mallory*", "alice*"]))
    return "broken" if bad else "proved"

# %% calls-it-right | visible: no | both visitors know the passcode
def verdict(checker):
    room = Scenario(
        setup=lambda: checker("s3cret"),
        threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("s3cret")},
        never=lambda c, answers: answers["alice"] is not True or answers["mallory"] is not True,
    )
    return room.explore().verdict

# %% false-alarm | visible: no | says what must be, where it should say what must not be
def verdict(checker):
    room = Scenario(
        setup=lambda: checker("s3cret"),
        threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
        never=lambda c, answers: answers == {"alice": True, "mallory": False},
    )
    return room.explore().verdict

# %% not-a-word | visible: no | returns the whole result
def verdict(checker):
    room = Scenario(
        setup=lambda: checker("s3cret"),
        threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
        never=lambda c, answers: answers != {"alice": True, "mallory": False},
    )
    return room.explore()
