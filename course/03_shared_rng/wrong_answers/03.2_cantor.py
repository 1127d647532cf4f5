# exercise: 03.2
# reason: seeds-alike
# passes the visible example: yes
# story: Cantor's pairing never forgets anything, but random.Random takes two of its numbers for one
def derive(master, unit):
    return (master + unit) * (master + unit + 1) // 2 + unit
