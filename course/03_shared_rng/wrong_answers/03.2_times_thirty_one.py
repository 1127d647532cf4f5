# exercise: 03.2
# reason: collision
# passes the visible example: yes
# story: multiplies as old hash functions do
def derive(master, unit):
    return master * 31 + unit
