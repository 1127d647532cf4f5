# exercise: 03.2
# mechanism: Cantor's pairing
def derive(master, unit):
    return (master + unit) * (master + unit + 1) // 2 + unit
