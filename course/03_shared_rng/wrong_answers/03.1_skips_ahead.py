# exercise: 03.1
# reason: streams-meet
# passes the visible example: yes
# story: one stream for the master; each unit begins a hundred passcodes further
def unit_batch(master, unit, count):
    rng = random.Random(f"batch {master}")
    rng.choices(SYMBOLS, k=LENGTH * 100 * unit)
    return ["".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]
