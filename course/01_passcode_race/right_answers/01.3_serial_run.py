# exercise: 01.3
# mechanism: compares with what a visit alone would have answered
def no_wrong_passcode_passes(correct, asked, answers):
    for name, word in asked.items():
        alone = word == correct
        if answers[name] is True and not alone:
            return False
    return True


def everybody_gets_their_own_answer(correct, asked, answers):
    alone = {name: word == correct for name, word in asked.items()}
    return alone == {name: a for name, a in answers.items() if type(a) is bool}


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)
