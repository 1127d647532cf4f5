# exercise: 03.2
# reason: same-sum
# passes the visible example: yes
# story: the popular advice: master plus unit
def derive(master, unit):
    return master + unit
