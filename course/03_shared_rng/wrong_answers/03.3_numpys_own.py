# exercise: 03.3
# reason: shared-state
# passes the visible example: no
# story: seeds numpy's generator
def passcode(seed, k):
    np.random.seed([seed, k % 2**32, k >> 32])
    return "".join(SYMBOLS[i] for i in np.random.randint(62, size=LENGTH))
