# exercise: 03.4
# reason: not-a-symbol
# passes the visible example: no
# story: returns places instead of symbols
def to_symbols(raw):
    return raw[raw < 248] % 62
