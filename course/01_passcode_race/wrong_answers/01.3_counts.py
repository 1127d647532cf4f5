# exercise: 01.3
# reason: only-counts
# passes the visible example: yes
# story: compares how many passed with how many should have
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(answers[name] is True and asked[name] != correct for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    right = [name for name in asked if asked[name] == correct]
    passed = [name for name in asked if answers[name] is True]
    return len(passed) == len(right)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)
