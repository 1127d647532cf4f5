# exercise: 03.3
# reason: shared-state
# passes the visible example: no
# story: borrows the module's generator
def passcode(seed, k):
    before = random.getstate()
    random.seed(f"{seed}:{k}")
    code = "".join(random.choices(SYMBOLS, k=LENGTH))
    random.setstate(before)
    return code
