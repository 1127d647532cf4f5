# exercise: 03.1
# reason: streams-meet
# passes the visible example: yes
# story: xors the unit into the master
def unit_batch(master, unit, count):
    rng = random.Random(master ^ unit)
    return ["".join(rng.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]
