# exercise: 03.2
# mechanism: sixteen hexadecimal digits each
def derive(master, unit):
    return f"{master:016x}{unit:016x}"
