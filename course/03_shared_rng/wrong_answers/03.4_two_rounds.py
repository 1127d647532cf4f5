# exercise: 03.4
# reason: wasteful
# passes the visible example: yes
# story: stops after two rounds
def to_symbols(raw):
    kept = raw[raw < 124]
    return CODES[kept % 62]
