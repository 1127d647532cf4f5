# exercise: 03.6
# reason: misses-a-unit
# passes the visible example: yes
# story: never looks for units too many
def reproduced(run, wanted):
    return all(run.get(unit) == wanted[unit] for unit in wanted)
