# exercise: 03.1
# mechanism: an extendable digest, folded without bias
from hashlib import shake_256


def unit_batch(master, unit, count):
    kept, size = b"", count * LENGTH * 2 + 64
    while len(kept) < count * LENGTH:
        kept = bytes(b for b in shake_256(f"{master}|{unit}".encode()).digest(size) if b < 248)
        size *= 2
    text = "".join(SYMBOLS[b % 62] for b in kept)
    return [text[i : i + LENGTH] for i in range(0, count * LENGTH, LENGTH)]
