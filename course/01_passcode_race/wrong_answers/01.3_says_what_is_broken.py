# exercise: 01.3
# reason: misses-false-accept
# passes the visible example: no
# story: returns True when the invariant is broken
def no_wrong_passcode_passes(correct, asked, answers):
    return any(answers[name] is True and asked[name] != correct for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    return not all(answers[name] is (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)
