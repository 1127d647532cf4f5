# exercise: 03.6
# mechanism: unit by unit
def reproduced(run, wanted):
    return set(run) == set(wanted) and all(list(run[unit]) == list(wanted[unit]) for unit in wanted)
