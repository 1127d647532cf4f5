# exercise: 03.2
# reason: collision
# passes the visible example: no
# story: minus for odd units, which random ignores
def derive(master, unit):
    n = master << 63 | unit >> 1
    return -n - 1 if unit % 2 else n + 1
