# exercise: 03.6
# reason: false-alarm
# passes the visible example: yes
# story: the order of arrival counts
def reproduced(run, wanted):
    return list(run.items()) == list(wanted.items())
