"""Wrong answers to exercise 01.3: why each is rejected, whether it passes the lab's example, its story."""

# %% misses-false-accept | visible: yes | `in` for `==`: a piece of the passcode counts as the passcode
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(answers[name] is True and asked[name] not in correct for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] in correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% exception-taken-for-an-answer | visible: yes | counts a thread that raised as refused, so a wrong visitor who raised has the right answer
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(answers[name] is True and asked[name] != correct for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    return all((answers[name] is True) == (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% accuses-the-innocent | visible: yes | says that nobody at all may pass
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(answers[name] is True for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% only-counts | visible: yes | only worries when two passed
def no_wrong_passcode_passes(correct, asked, answers):
    return sum(answers[name] is True for name in asked) <= 1


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% misses-false-reject | visible: yes | files the visitors by their passcode, so that two with the same one become one
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(answers[name] is True and asked[name] != correct for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    visitors = {code: name for name, code in asked.items()}
    return all(answers[name] is (code == correct) for code, name in visitors.items())


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% only-counts | visible: yes | compares how many passed with how many should have
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(answers[name] is True and asked[name] != correct for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    right = [name for name in asked if asked[name] == correct]
    passed = [name for name in asked if answers[name] is True]
    return len(passed) == len(right)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% misses-false-accept | visible: yes | looks at the first three visitors, as many as the example seemed to need
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(answers[name] is True and asked[name] != correct for name in list(asked)[:3])


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] == correct) for name in list(asked)[:3])


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% names-hard-wired | visible: yes | asks for Alice and Mallory by name
def no_wrong_passcode_passes(correct, asked, answers):
    return answers.get("mallory") is not True


def everybody_gets_their_own_answer(correct, asked, answers):
    right = all(answers[n] is (asked[n] == correct) for n in asked)
    return right and answers.get("mallory") is not True


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% accuses-the-innocent | visible: yes | believes that only one visitor can have the right passcode
def no_wrong_passcode_passes(correct, asked, answers):
    return [asked[name] for name in asked if answers[name] is True] in ([], [correct])


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% misses-false-reject | visible: yes | the second repeats the first: refusing the right visitor goes unnoticed
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(answers[name] is True and asked[name] != correct for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    return not any(answers[name] is True and asked[name] != correct for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% not-a-bool | visible: no | returns the list of those who passed wrongly
def no_wrong_passcode_passes(correct, asked, answers):
    return [name for name in asked if answers[name] is True and asked[name] != correct]


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% misses-false-accept | visible: no | returns True when the invariant is broken
def no_wrong_passcode_passes(correct, asked, answers):
    return any(answers[name] is True and asked[name] != correct for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    return not all(answers[name] is (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% misses-false-accept | visible: yes | strips and lowers both sides before it compares
def no_wrong_passcode_passes(correct, asked, answers):
    code = correct.strip().lower()
    return not any(answers[name] is True and asked[name].strip().lower() != code for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    code = correct.strip().lower()
    return all(answers[name] is (asked[name].strip().lower() == code) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% exception-taken-for-an-answer | visible: yes | asks whether the answer is true, and an exception object is
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(answers[name] and asked[name] != correct for name in asked)


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% changes-its-input | visible: no | pops its way through the dictionaries of the caller
def no_wrong_passcode_passes(correct, asked, answers):
    return not [name for name in list(asked) if answers.pop(name) is True and asked[name] != correct]


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(answers[name] is (asked[name] == correct) for name in asked)


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% pairs-by-place | visible: yes | pairs the two dicts by place, with zip
def no_wrong_passcode_passes(correct, asked, answers):
    return not any(said is True and word != correct for word, said in zip(asked.values(), answers.values()))


def everybody_gets_their_own_answer(correct, asked, answers):
    return all(said is (word == correct) for word, said in zip(asked.values(), answers.values()))


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% pairs-by-place | visible: yes | one list of words, one of answers, each sorted by what it holds
def no_wrong_passcode_passes(correct, asked, answers):
    names = list(asked)
    said = [one for _, one in sorted(answers.items(), key=lambda pair: names.index(pair[0]))]
    return not any(one is True and asked[name] != correct for name, one in zip(names, said))


def everybody_gets_their_own_answer(correct, asked, answers):
    return [word == correct for word in asked.values()] == list(answers.values())


invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)
