"""Wrong answers to exercise 09.6: why each is rejected, whether it passes the lab's example, its story."""

# %% never-neither | visible: yes | not both at once
def ending_verdict(kind):
    def wrong(request, answers):
        return answers["server"] and answers["client"]

    both = {"server": lambda request: request.finish(), "client": lambda request: request.cancel()}
    return Scenario(lambda: kind(), both, never=wrong).explore().verdict

# %% forgets-the-answers | visible: yes | the status and the blocks say it all
def ending_verdict(kind):
    def wrong(request, answers):
        return request.status not in ("done", "cancelled") or request.released != 1

    both = {"server": lambda request: request.finish(), "client": lambda request: request.cancel()}
    return Scenario(lambda: kind(), both, never=wrong).explore().verdict

# %% forgets-the-status | visible: yes | exactly one True, and the blocks once
def ending_verdict(kind):
    def wrong(request, answers):
        return answers["server"] == answers["client"] or request.released != 1

    both = {"server": lambda request: request.finish(), "client": lambda request: request.cancel()}
    return Scenario(lambda: kind(), both, never=wrong).explore().verdict

# %% forgets-the-blocks | visible: yes | the answers and the status
def ending_verdict(kind):
    def wrong(request, answers):
        return (answers["server"], answers["client"], request.status) not in [
            (True, False, "done"), (False, True, "cancelled")]

    both = {"server": lambda request: request.finish(), "client": lambda request: request.cancel()}
    return Scenario(lambda: kind(), both, never=wrong).explore().verdict

# %% forgets-the-blocks | visible: yes | the blocks are given back twice at most once
def ending_verdict(kind):
    def wrong(request, answers):
        pair = answers["server"], answers["client"], request.status, min(1, request.released)
        return pair not in [(True, False, "done", 1), (False, True, "cancelled", 1)]

    both = {"server": lambda request: request.finish(), "client": lambda request: request.cancel()}
    return Scenario(lambda: kind(), both, never=wrong).explore().verdict

# %% forgets-the-blocks | visible: yes | the blocks are not given back twice
def ending_verdict(kind):
    def wrong(request, answers):
        pair = answers["server"], answers["client"], request.status, 1
        return request.released > 1 or pair not in [(True, False, "done", 1), (False, True, "cancelled", 1)]

    both = {"server": lambda request: request.finish(), "client": lambda request: request.cancel()}
    return Scenario(lambda: kind(), both, never=wrong).explore().verdict

# %% calls-it-right | visible: no | finishes first and cancels afterwards, without the explorer
def ending_verdict(kind):
    request = kind()
    pair = request.finish(), request.cancel(), request.status, request.released
    return "proved" if pair == (True, False, "done", 1) else "broken"

# %% calls-it-right | visible: no | both serial orders are played, and no other one
def ending_verdict(kind):
    def wrong(request, answers):
        pair = answers["server"], answers["client"], request.status, request.released
        return pair not in [(True, False, "done", 1), (False, True, "cancelled", 1)]

    both = {"server": lambda request: request.finish(), "client": lambda request: request.cancel()}
    room = Scenario(lambda: kind(), both, never=wrong)
    ends = [room.play(order) for order in (["server*", "client*"], ["client*", "server*"])]
    if not all(end.finished for end in ends):
        return "deadlock"
    return "broken" if any(end.answers["server"] == end.answers["client"] for end in ends) else "proved"

# %% false-alarm | visible: no | only one of the two endings is a good one
def ending_verdict(kind):
    def wrong(request, answers):
        pair = answers["server"], answers["client"], request.status, request.released
        return pair not in [(True, False, "done", 1)]

    both = {"server": lambda request: request.finish(), "client": lambda request: request.cancel()}
    return Scenario(lambda: kind(), both, never=wrong).explore().verdict

# %% false-alarm | visible: no | never says what must be
def ending_verdict(kind):
    def wrong(request, answers):
        pair = answers["server"], answers["client"], request.status, request.released
        return pair in [(True, False, "done", 1), (False, True, "cancelled", 1)]

    both = {"server": lambda request: request.finish(), "client": lambda request: request.cancel()}
    return Scenario(lambda: kind(), both, never=wrong).explore().verdict

# %% deadlock-has-a-name | visible: yes | whatever is not proved is broken
def ending_verdict(kind):
    def wrong(request, answers):
        pair = answers["server"], answers["client"], request.status, request.released
        return pair not in [(True, False, "done", 1), (False, True, "cancelled", 1)]

    both = {"server": lambda request: request.finish(), "client": lambda request: request.cancel()}
    word = Scenario(lambda: kind(), both, never=wrong).explore().verdict
    return "proved" if word == "proved" else "broken"

# %% calls-it-right | visible: no | a request for each thread
def ending_verdict(kind):
    def wrong(pair, answers):
        return not (answers["server"] and answers["client"])

    both = {"server": lambda pair: pair[0].finish(), "client": lambda pair: pair[1].cancel()}
    return Scenario(lambda: (kind(), kind()), both, never=wrong).explore().verdict

# %% not-a-word | visible: no | returns whether it is proved
def ending_verdict(kind):
    def wrong(request, answers):
        pair = answers["server"], answers["client"], request.status, request.released
        return pair not in [(True, False, "done", 1), (False, True, "cancelled", 1)]

    both = {"server": lambda request: request.finish(), "client": lambda request: request.cancel()}
    return Scenario(lambda: kind(), both, never=wrong).explore().verdict == "proved"

# %% false-alarm | visible: yes | whatever has no lock in use is broken
def ending_verdict(kind):
    def wrong(request, answers):
        pair = answers["server"], answers["client"], request.status, request.released
        return pair not in [(True, False, "done", 1), (False, True, "cancelled", 1)]

    both = {"server": lambda request: request.finish(), "client": lambda request: request.cancel()}
    if "lock" not in kind.end.__code__.co_names:
        return "broken"
    return Scenario(lambda: kind(), both, never=wrong).explore().verdict

# %% forgets-the-status | visible: yes | cancels twice, since a client may
def ending_verdict(kind):
    def wrong(request, answers):
        pair = answers["server"], answers["client"], request.status, request.released
        return pair not in [(True, False, "cancelled", 1), (False, True, "cancelled", 1)]

    both = {"server": lambda request: request.cancel(), "client": lambda request: request.cancel()}
    return Scenario(lambda: kind(), both, never=wrong).explore().verdict
