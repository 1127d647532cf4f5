# exercise: 03.2
# mechanism: eight bytes for each
def derive(master, unit):
    return master.to_bytes(16, "big") + unit.to_bytes(16, "big")
