# exercise: 03.6
# reason: joins
# passes the visible example: yes
# story: compares each unit as one long text
def reproduced(run, wanted):
    return {u: "".join(c) for u, c in run.items()} == {u: "".join(c) for u, c in wanted.items()}
