# exercise: 03.6
# reason: wrong-type
# passes the visible example: no
# story: returns the number of units that differ
def reproduced(run, wanted):
    return sum(run.get(unit) != wanted[unit] for unit in wanted)
