# exercise: 03.2
# reason: not-reproducible
# passes the visible example: yes
# story: numbers the pairs as they come, in a default argument
def derive(master, unit, seen={}):
    return seen.setdefault((master, unit), len(seen))
