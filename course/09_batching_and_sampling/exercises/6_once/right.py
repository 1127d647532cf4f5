"""Right answers to exercise 09.6, each by another mechanism."""

# %% four sentences, each an if
def ending_verdict(kind):
    def never(request, answers):
        finished, cancelled = answers["finish"], answers["cancel"]
        if finished == cancelled or request.released != 1:
            return True
        if finished:
            return request.status != "done"
        return request.status != "cancelled"

    threads = {"finish": lambda request: request.finish(), "cancel": lambda request: request.cancel()}
    return Scenario(kind, threads, never).explore().verdict

# %% compared with the two serial orders, played first
def ending_verdict(kind):
    names = {"finish": lambda r: r[0].finish(), "cancel": lambda r: r[0].cancel()}

    def bad(state, answers):
        request = state[0]
        yes = [name for name in names if answers[name] is True]
        no = [name for name in names if answers[name] is False]
        words = {"finish": "done", "cancel": "cancelled"}
        return not (len(yes) == len(no) == request.released == 1 and request.status == words[yes[0]])

    return Scenario(setup=lambda: [kind()], threads=names, never=bad).explore().verdict

# %% every schedule tried by the plain search, and a good ending as a dictionary
def ending_verdict(kind):
    good = {"done": {"server": True, "client": False}, "cancelled": {"server": False, "client": True}}
    scenario = Scenario(
        setup=lambda: kind(), threads={"server": lambda one: one.finish(), "client": lambda one: one.cancel()},
        never=lambda one, answers: dict(answers) != good.get(one.status) or one.released != 1)
    return scenario.explore("all").verdict

# %% observed endings, and a set of the good ones
def ending_verdict(kind):
    good = {("done", True, False, 1), ("cancelled", False, True, 1)}

    def seen(request, answers):
        return request.status, *(answers[name] for name in ("done", "cancelled")), request.released

    calls = {"cancelled": lambda request: request.cancel(), "done": lambda request: request.finish()}
    return Scenario(kind, calls, never=lambda request, answers: seen(request, answers) not in good).explore().verdict
