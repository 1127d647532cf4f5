# exercise: 03.1
# reason: shared-state
# passes the visible example: no
# story: borrows the module's generator and puts its state back
def unit_batch(master, unit, count):
    before = random.getstate()
    random.seed(f"{master}:{unit}")
    codes = ["".join(random.choices(SYMBOLS, k=LENGTH)) for _ in range(count)]
    random.setstate(before)
    return codes
