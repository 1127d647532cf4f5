"""Right answers to exercise 01.3, each by another mechanism."""

# %% one expression each, over the names
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(answers[name] is True and asked[name] != correct for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% compares with what a visit alone would have answered
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

# %% sets of names: those who are right, those who passed, those who were refused
def no_wrong_passcode_passes(correct, asked, answers):
    right = {name for name in asked if asked[name] == correct}
    passed = {name for name in asked if answers[name] is True}
    return passed <= right


def everybody_gets_their_own_answer(correct, asked, answers):
    right = {name for name in asked if asked[name] == correct}
    passed = {name for name in asked if answers[name] is True}
    refused = {name for name in asked if answers[name] is False}
    return passed == right and refused == set(asked) - right


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)
