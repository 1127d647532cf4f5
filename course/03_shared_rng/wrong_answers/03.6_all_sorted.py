# exercise: 03.6
# reason: sorts-away
# passes the visible example: yes
# story: sorts all passcodes of all units
def reproduced(run, wanted):
    return sorted(c for codes in run.values() for c in codes) == sorted(c for codes in wanted.values() for c in codes)
