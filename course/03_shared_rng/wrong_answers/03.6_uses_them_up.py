# exercise: 03.6
# reason: changes-input
# passes the visible example: no
# story: takes unit after unit out of the run
def reproduced(run, wanted):
    for unit, codes in wanted.items():
        if run.pop(unit, None) != codes:
            return False
    return not run
