# exercise: 03.2
# reason: collision
# passes the visible example: yes
# story: room for all units below the master; but random.Random(1 << 32 | 2) is random.Random(2)
def derive(master, unit):
    return master << 32 | unit
