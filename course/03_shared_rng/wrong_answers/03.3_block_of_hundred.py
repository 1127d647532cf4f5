# exercise: 03.3
# reason: collision
# passes the visible example: yes
# story: blocks of a hundred numbers, the last of one is the first of the next
def passcode(seed, k):
    block, place = divmod(k, 99)
    rng = random.Random(f"{seed}:{block}")
    codes = ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(99)]
    return codes[place % 98]
