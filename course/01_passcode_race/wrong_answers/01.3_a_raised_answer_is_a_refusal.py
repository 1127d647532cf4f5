# exercise: 01.3
# reason: exception-taken-for-an-answer
# passes the visible example: yes
# story: counts a thread that raised as refused, so a wrong visitor who raised has the right answer
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(answers[name] is True and asked[name] != correct for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    return all((answers[name] is True) == (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)
