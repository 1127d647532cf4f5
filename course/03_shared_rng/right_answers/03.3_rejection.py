# exercise: 03.3
# mechanism: bytes with rejection
def passcode(seed, k):
    code, turn = "", 0
    while len(code) < LENGTH:
        block = sha256(f"{seed}:{k}:{turn}".encode()).digest()
        code += "".join(SYMBOLS[b % 62] for b in block if b < 248)
        turn += 1
    return code[:LENGTH]
