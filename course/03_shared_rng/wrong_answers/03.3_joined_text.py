# exercise: 03.3
# reason: collision
# passes the visible example: yes
# story: seed and number without a border
def passcode(seed, k):
    rng = random.Random(f"{seed}{k}")
    return "".join(rng.choice(SYMBOLS) for _ in range(LENGTH))
