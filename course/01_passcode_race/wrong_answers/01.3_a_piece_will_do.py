# exercise: 01.3
# reason: misses-false-accept
# passes the visible example: yes
# story: `in` for `==`: a piece of the passcode counts as the passcode
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(answers[name] is True and asked[name] not in correct for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] in correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)
