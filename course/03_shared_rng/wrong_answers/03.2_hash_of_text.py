# exercise: 03.2
# reason: hash-changes
# passes the visible example: yes
# story: hash() of a text is another one in every process
def derive(master, unit):
    return hash(f"{master}:{unit}")
