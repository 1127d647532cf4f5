# exercise: 03.2
# reason: hash-changes
# passes the visible example: yes
# story: hash() of the pair
def derive(master, unit):
    return hash((master, unit))
