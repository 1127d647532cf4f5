# exercise: 03.2
# reason: collision
# passes the visible example: yes
# story: only 32 bits of the unit
def derive(master, unit):
    return f"{master}:{unit & 0xFFFFFFFF}"
