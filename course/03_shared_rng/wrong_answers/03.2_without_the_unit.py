# exercise: 03.2
# reason: collision
# passes the visible example: no
# story: the unit is forgotten
def derive(master, unit):
    return sha256(f"{master}".encode()).digest()
