# exercise: 01.3
# reason: misses-false-reject
# passes the visible example: yes
# story: files the visitors by their passcode, so that two with the same one become one
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(answers[name] is True and asked[name] != correct for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    visitors = {code: name for name, code in asked.items()}
    return all(answers[name] is (code == correct) for code, name in visitors.items())


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)
