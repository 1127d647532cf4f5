# exercise: 03.4
# reason: changes-input
# passes the visible example: yes
# story: folds into the array that was handed in
def to_symbols(raw):
    kept = raw < 248
    raw %= 62
    return CODES[raw[kept]]
