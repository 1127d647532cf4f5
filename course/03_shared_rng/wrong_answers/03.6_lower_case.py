# exercise: 03.6
# reason: too-lenient
# passes the visible example: yes
# story: capital and small letters are the same
def reproduced(run, wanted):
    def low(r):
        return {u: [c.lower() for c in codes] for u, codes in r.items()}

    return low(run) == low(wanted)
