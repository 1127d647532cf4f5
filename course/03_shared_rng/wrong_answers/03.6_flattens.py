# exercise: 03.6
# reason: joins
# passes the visible example: yes
# story: all passcodes in one list, unit after unit
def reproduced(run, wanted):
    def flat(r):
        return [code for unit in sorted(r) for code in r[unit]]

    return sorted(run) == sorted(wanted) and flat(run) == flat(wanted)
