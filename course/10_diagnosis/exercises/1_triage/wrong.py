"""Wrong answers to exercise 10.1: why each is rejected, whether it passes the lab's example, its story."""

# %% forgets-rounding | visible: yes | asks, and never measures
def triage(answers, single, double):
    return "shared state" if sum(answers) >= 3 or (answers[1] and answers[3]) else "something else"

# %% needs-three | visible: yes | counts yeses alone
def triage(answers, single, double):
    if single is not None and double is not None and 0 < single <= 1e-4 and double <= 1e-9:
        return "rounding"
    return "shared state" if sum(answers) >= 3 else "something else"

# %% two-are-enough | visible: yes | any two yeses
def triage(answers, single, double):
    if single is not None and double is not None and 0 < single <= 1e-4 and double <= 1e-9:
        return "rounding"
    return "shared state" if sum(answers) >= 2 else "something else"

# %% calls-it-rounding | visible: yes | looks at single precision alone
def triage(answers, single, double):
    if single is not None and double is not None and 0 < single <= 1e-4:
        return "rounding"
    return "shared state" if sum(answers) >= 3 or (answers[1] and answers[3]) else "something else"

# %% calls-it-rounding | visible: yes | looks at double precision alone
def triage(answers, single, double):
    if double is not None and single is not None and single > 0 and double <= 1e-9:
        return "rounding"
    return "shared state" if sum(answers) >= 3 or (answers[1] and answers[3]) else "something else"

# %% calls-it-rounding | visible: yes | a difference of 0 is small
def triage(answers, single, double):
    if single is not None and double is not None and single <= 1e-4 and double <= 1e-9:
        return "rounding"
    return "shared state" if sum(answers) >= 3 or (answers[1] and answers[3]) else "something else"

# %% no-suspect | visible: yes | only four yeses
def triage(answers, single, double):
    if single is not None and double is not None and 0 < single <= 1e-4 and double <= 1e-9:
        return "rounding"
    return "shared state" if all(answers) else "something else"

# %% bounds | visible: yes | smaller than, not at most
def triage(answers, single, double):
    if single is not None and double is not None and 0 < single < 1e-4 and double < 1e-9:
        return "rounding"
    return "shared state" if sum(answers) >= 3 or (answers[1] and answers[3]) else "something else"

# %% not-a-word | visible: no | says yes or no
def triage(answers, single, double):
    return sum(answers) >= 3

# %% forgets-rounding | visible: yes | a difference below 1e-8 is none
def triage(answers, single, double):
    if single is not None and double is not None and (1e-08 < single <= 0.0001) and (double <= 1e-09):
        return 'rounding'
    return 'shared state' if sum(answers) >= 3 or (answers[1] and answers[3]) else 'something else'
