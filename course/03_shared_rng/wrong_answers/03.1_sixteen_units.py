# exercise: 03.1
# reason: streams-meet
# passes the visible example: yes
# story: room for sixteen units between two masters
def unit_batch(master, unit, count):
    rng = random.Random(master * 16 + unit)
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]
