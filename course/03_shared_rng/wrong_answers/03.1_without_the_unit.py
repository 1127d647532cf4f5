# exercise: 03.1
# reason: streams-meet
# passes the visible example: yes
# story: every unit starts from the master itself
def unit_batch(master, unit, count):
    rng = random.Random(master)
    return ["".join(rng.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]
