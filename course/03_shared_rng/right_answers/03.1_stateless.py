# exercise: 03.1
# mechanism: each passcode a digest of master, unit and number
def unit_batch(master, unit, count):
    batch = []
    for k in range(count):
        number = int.from_bytes(sha256(f"{master}/{unit}/{k}".encode()).digest(), "big")
        batch.append("".join(SYMBOLS[number // 62**place % 62] for place in range(LENGTH)))
    return batch
