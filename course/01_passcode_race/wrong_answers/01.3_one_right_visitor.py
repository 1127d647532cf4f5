# exercise: 01.3
# reason: accuses-the-innocent
# passes the visible example: yes
# story: believes that only one visitor can have the right passcode
def no_wrong_passcode_passes(correct, asked, answers):
    return [asked[name] for name in asked if answers[name] is True] in ([], [correct])


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)
