# exercise: 03.2
# reason: same-text
# passes the visible example: yes
# story: the digits one after the other
def derive(master, unit):
    return f"{master}{unit}"
