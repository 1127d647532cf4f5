# exercise: 01.3
# reason: misses-false-accept
# passes the visible example: yes
# story: looks at the first three visitors, as many as the example seemed to need
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(answers[name] is True and asked[name] != correct for name in list(asked)[:3])


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] == correct) for name in list(asked)[:3])


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)
