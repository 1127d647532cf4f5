# exercise: 01.3
# reason: accuses-the-innocent
# passes the visible example: yes
# story: says that nobody at all may pass
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(answers[name] is True for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)
