# exercise: 03.2
# mechanism: sha256 of a tagged tuple
def derive(master, unit):
    return int.from_bytes(sha256(repr(("unit", master, unit)).encode()).digest(), "big")
