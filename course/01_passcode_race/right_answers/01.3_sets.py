# exercise: 01.3
# mechanism: sets of names: those who are right, those who passed, those who were refused
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
