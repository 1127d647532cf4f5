# exercise: 03.1
# reason: biased
# passes the visible example: yes
# story: each passcode begins one symbol further in one long text
def unit_batch(master, unit, count):
    rng = random.Random(f"{master}:{unit}")
    text = "".join(rng.choices(SYMBOLS, k=LENGTH + count))
    return [text[k : k + LENGTH] for k in range(count)]
