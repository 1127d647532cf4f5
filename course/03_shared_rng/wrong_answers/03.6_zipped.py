# exercise: 03.6
# reason: misses-a-unit
# passes the visible example: yes
# story: zip stops at the shorter one
def reproduced(run, wanted):
    return all(a == b for unit in wanted for a, b in zip(run.get(unit, []), wanted[unit], strict=False))
