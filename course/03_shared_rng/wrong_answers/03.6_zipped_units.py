# exercise: 03.6
# reason: stops-early
# passes the visible example: yes
# story: the same units, but zip within them
def reproduced(run, wanted):
    return run.keys() == wanted.keys() and all(
        a == b for unit in wanted for a, b in zip(run[unit], wanted[unit], strict=False)
    )
