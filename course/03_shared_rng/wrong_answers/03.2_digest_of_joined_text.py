# exercise: 03.2
# reason: same-text
# passes the visible example: yes
# story: a good digest of a text that lost the border
def derive(master, unit):
    return sha256(f"{master}{unit}".encode()).digest()
