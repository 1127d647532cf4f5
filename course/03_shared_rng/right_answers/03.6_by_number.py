# exercise: 03.6
# mechanism: units 0 to n-1
def reproduced(run, wanted):
    if len(run) != len(wanted):
        return False
    for unit in wanted:
        if unit not in run or len(run[unit]) != len(wanted[unit]):
            return False
        for mine, theirs in zip(run[unit], wanted[unit], strict=True):
            if mine != theirs:
                return False
    return True
