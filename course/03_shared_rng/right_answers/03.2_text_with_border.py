# exercise: 03.2
# mechanism: a text with a border, hashed by random itself
def derive(master, unit):
    return f"{master}:{unit}"
