"""Right answers to exercise 03.7, each by another mechanism."""

# %% compared with the unit alone on a known reference: the two serial orders agree, and every order equals them
def streams_verdict(streams):
    def twice(unit):
        return lambda drawn: [drawn.draw(unit), drawn.draw(unit)]

    units = {"unit0": twice(0), "unit1": twice(1)}
    orders = (["unit0*", "unit1*"], ["unit1*", "unit0*"])
    serial = [Scenario(lambda: streams(7), units).play(order).answers for order in orders]

    def never(drawn, got):
        return dict(got) != dict(serial[0]) or dict(got) != dict(serial[1])

    return Scenario(lambda: streams(7), units, never=never).explore().verdict

# %% each order is compared with one serial order
def streams_verdict(streams):
    units = {f"unit{u}": lambda drawn, u=u: (drawn.draw(u), drawn.draw(u), drawn.draw(u)) for u in range(2)}
    wanted = dict(Scenario(lambda: streams(2026), units).play(["unit1*", "unit0*"]).answers)
    return Scenario(lambda: streams(2026), units, never=lambda s, got: dict(got) != wanted).explore().verdict
