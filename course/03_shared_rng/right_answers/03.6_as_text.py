# exercise: 03.6
# mechanism: both written as sorted texts
def reproduced(run, wanted):
    return repr(sorted(run.items())) == repr(sorted(wanted.items()))
