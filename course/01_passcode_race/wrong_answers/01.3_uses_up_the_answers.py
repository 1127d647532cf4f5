# exercise: 01.3
# reason: changes-its-input
# passes the visible example: no
# story: pops its way through the dictionaries of the caller
def no_wrong_passcode_passes(correct, asked, answers):
    return not [name for name in list(asked) if answers.pop(name) is True and asked[name] != correct]


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)
