# exercise: 03.6
# reason: sorts-away
# passes the visible example: yes
# story: compares sets of passcodes
def reproduced(run, wanted):
    return set().union(*run.values()) == set().union(*wanted.values())
