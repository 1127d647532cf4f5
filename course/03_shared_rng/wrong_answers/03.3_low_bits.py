# exercise: 03.3
# reason: collision
# passes the visible example: yes
# story: only 32 bits of k
def passcode(seed, k):
    return "".join(random.Random(f"{seed}:{k % 2**32}").choices(SYMBOLS, k=LENGTH))
