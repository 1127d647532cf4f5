# exercise: 03.6
# mechanism: plain equality
def reproduced(run, wanted):
    return run == wanted
