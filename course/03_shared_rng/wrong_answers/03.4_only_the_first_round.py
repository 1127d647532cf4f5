# exercise: 03.4
# reason: wasteful
# passes the visible example: yes
# story: keeps the bytes below 62 and throws three quarters away
def to_symbols(raw):
    return CODES[raw[raw < 62]]
