# exercise: 03.2
# reason: collision
# passes the visible example: yes
# story: shifts the unit and xors
def derive(master, unit):
    return master ^ (unit << 16)
