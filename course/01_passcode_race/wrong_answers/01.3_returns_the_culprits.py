# exercise: 01.3
# reason: not-a-bool
# passes the visible example: no
# story: returns the list of those who passed wrongly
def no_wrong_passcode_passes(correct, asked, answers):
    return [name for name in asked if answers[name] is True and asked[name] != correct]


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)
