# exercise: 03.2
# reason: seeds-alike
# passes the visible example: yes
# story: the unit above the master, and as far as can be
def derive(master, unit):
    return unit << 128 | master
