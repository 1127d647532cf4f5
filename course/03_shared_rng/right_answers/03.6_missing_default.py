# exercise: 03.6
# mechanism: get with a default
def reproduced(run, wanted):
    return all(run.get(u) == wanted.get(u) for u in [*run, *wanted])
