# exercise: 03.3
# reason: order-matters
# passes the visible example: yes
# story: hash() of a text
def passcode(seed, k):
    rng = random.Random(hash(f"{seed}:{k}"))
    return "".join(rng.choices(SYMBOLS, k=LENGTH))
