# exercise: 03.3
# reason: collision
# passes the visible example: yes
# story: a thousand numbers for each seed
def passcode(seed, k):
    rng = random.Random(seed * 1000 + k)
    return "".join(rng.choices(SYMBOLS, k=LENGTH))
