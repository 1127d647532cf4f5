# exercise: 03.4
# reason: biased
# passes the visible example: yes
# story: folds all bytes onto 62
def to_symbols(raw):
    return CODES[raw % 62]
