# exercise: 03.3
# reason: shared-state
# passes the visible example: no
# story: uses the module's generator
def passcode(seed, k):
    random.seed(f"{seed}:{k}")
    return "".join(random.choice(SYMBOLS) for _ in range(LENGTH))
