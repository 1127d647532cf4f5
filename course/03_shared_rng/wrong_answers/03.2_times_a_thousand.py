# exercise: 03.2
# reason: collision
# passes the visible example: yes
# story: a thousand units will do, says the plan
def derive(master, unit):
    return master * 1000 + unit
