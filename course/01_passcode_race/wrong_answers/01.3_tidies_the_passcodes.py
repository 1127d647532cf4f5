# exercise: 01.3
# reason: misses-false-accept
# passes the visible example: yes
# story: strips and lowers both sides before it compares
def no_wrong_passcode_passes(correct, asked, answers):
    code = correct.strip().lower()
    return not any(answers[name] is True and asked[name].strip().lower() != code for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    code = correct.strip().lower()
    return all(answers[name] is (asked[name].strip().lower() == code) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)
