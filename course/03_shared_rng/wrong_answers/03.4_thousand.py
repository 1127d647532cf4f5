# exercise: 03.4
# reason: not-in-order
# passes the visible example: yes
# story: cuts at a thousand
def to_symbols(raw):
    kept = raw[raw < 248][:1000]
    return CODES[kept % 62]
