# exercise: 03.6
# reason: sorts-within
# passes the visible example: yes
# story: sorts within each unit
def reproduced(run, wanted):
    return {u: sorted(c) for u, c in run.items()} == {u: sorted(c) for u, c in wanted.items()}
