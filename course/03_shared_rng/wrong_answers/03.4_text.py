# exercise: 03.4
# reason: wrong-shape
# passes the visible example: no
# story: returns a text
def to_symbols(raw):
    return "".join(map(chr, CODES[raw[raw < 248] % 62]))
