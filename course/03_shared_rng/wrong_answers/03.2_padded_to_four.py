# exercise: 03.2
# reason: collision
# passes the visible example: yes
# story: four digits for each
def derive(master, unit):
    return f"{master:04d}{unit:04d}"
