# exercise: 03.3
# reason: collision
# passes the visible example: yes
# story: the number written with 62 digits: unique, but the same for every seed
def passcode(seed, k):
    return "".join(SYMBOLS[k // 62**place % 62] for place in reversed(range(LENGTH)))
