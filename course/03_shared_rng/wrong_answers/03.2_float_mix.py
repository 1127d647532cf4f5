# exercise: 03.2
# reason: collision
# passes the visible example: yes
# story: a float in between loses digits
def derive(master, unit):
    return f"{float(master)}:{float(unit)}"
