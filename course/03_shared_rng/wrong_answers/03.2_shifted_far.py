# exercise: 03.2
# reason: seeds-alike
# passes the visible example: yes
# story: room for every unit below the master; but random.Random(6 << 32 | 7) is random.Random(7)
def derive(master, unit):
    return master << 64 | unit
