"""Wrong answers to exercise 03.7: why each is rejected, whether it passes the lab's example, its story."""

# %% sorts-away | visible: yes | compares the numbers of both units, sorted
def streams_verdict(streams):
    units = {f"unit{u}": lambda drawn, u=u: [drawn.draw(u), drawn.draw(u)] for u in range(2)}
    got = Scenario(lambda: streams(7), units).play(["unit0*", "unit1*"]).answers
    wanted = sorted(number for numbers in got.values() for number in (numbers or ()))

    def never(drawn, got):
        return sorted(number for numbers in got.values() for number in numbers) != wanted

    return Scenario(lambda: streams(7), units, never=never).explore().verdict

# %% sorts-away | visible: yes | asks only whether a number comes twice
def streams_verdict(streams):
    units = {f"unit{u}": lambda drawn, u=u: [drawn.draw(u), drawn.draw(u)] for u in range(2)}

    def never(drawn, got):
        return set(got["unit0"]) & set(got["unit1"])

    return Scenario(lambda: streams(7), units, never=never).explore().verdict

# %% one-draw | visible: yes | each unit draws once
def streams_verdict(streams):
    units = {f"unit{u}": lambda drawn, u=u: drawn.draw(u) for u in range(2)}
    wanted = dict(Scenario(lambda: streams(7), units).play(["unit0*", "unit1*"]).answers)
    return Scenario(lambda: streams(7), units, never=lambda s, got: dict(got) != wanted).explore().verdict

# %% deadlock-has-a-name | visible: yes | whatever is not proved is called broken
def streams_verdict(streams):
    units = {f"unit{u}": lambda drawn, u=u: [drawn.draw(u), drawn.draw(u)] for u in range(2)}
    wanted = dict(Scenario(lambda: streams(7), units).play(["unit0*", "unit1*"]).answers)
    found = Scenario(lambda: streams(7), units, never=lambda s, got: dict(got) != wanted).explore()
    return "proved" if found.verdict == "proved" else "broken"

# %% calls-it-right | visible: no | compares a serial run with itself
def streams_verdict(streams):
    units = {f"unit{u}": lambda drawn, u=u: [drawn.draw(u), drawn.draw(u)] for u in range(2)}
    one, two = (Scenario(lambda: streams(7), units).play(["unit0*", "unit1*"]).answers for _ in range(2))
    return "proved" if dict(one) == dict(two) else "broken"

# %% false-alarm | visible: no | compares with the numbers of another seed
def streams_verdict(streams):
    units = {f"unit{u}": lambda drawn, u=u: [drawn.draw(u), drawn.draw(u)] for u in range(2)}
    wanted = dict(Scenario(lambda: streams(8), units).play(["unit0*", "unit1*"]).answers)
    return Scenario(lambda: streams(7), units, never=lambda s, got: dict(got) != wanted).explore().verdict

# %% not-a-word | visible: no | returns the whole result
def streams_verdict(streams):
    units = {f"unit{u}": lambda drawn, u=u: [drawn.draw(u), drawn.draw(u)] for u in range(2)}
    wanted = dict(Scenario(lambda: streams(7), units).play(["unit0*", "unit1*"]).answers)
    return Scenario(lambda: streams(7), units, never=lambda s, got: dict(got) != wanted).explore()
