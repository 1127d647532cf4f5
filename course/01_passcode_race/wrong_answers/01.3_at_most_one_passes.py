# exercise: 01.3
# reason: only-counts
# passes the visible example: yes
# story: only worries when two passed
def no_wrong_passcode_passes(correct, asked, answers):
    return sum(answers[name] is True for name in asked) <= 1


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)
