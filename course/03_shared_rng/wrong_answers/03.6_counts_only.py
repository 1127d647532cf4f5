# exercise: 03.6
# reason: misses-a-passcode
# passes the visible example: yes
# story: compares how many there are
def reproduced(run, wanted):
    return {u: len(c) for u, c in run.items()} == {u: len(c) for u, c in wanted.items()}
