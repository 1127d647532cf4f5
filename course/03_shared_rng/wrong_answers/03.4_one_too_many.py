# exercise: 03.4
# reason: biased
# passes the visible example: yes
# story: keeps byte 248 as well
def to_symbols(raw):
    kept = raw[raw <= 248]
    return CODES[kept % 62]
